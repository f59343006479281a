import type { Target } from './port.ts';
import { isLocator } from './read-property.ts';

/** Label around an element that takes no text itself. */
const labelAround = 'xpath=self::*[not(self::input or self::textarea)]/ancestor-or-self::label';

/**
 * Whether what the library fills for this element is a field for passwords. The attribute of the element tells it by
 * one call of the browser's protocol, the property by eleven; only a label leads to another element, its field.
 */
export async function isPasswordField(target: Target): Promise<boolean> {
  const type = await target.getAttribute('type');
  if (type !== null) return type.toLowerCase() === 'password';
  if (!isLocator(target)) return (await target.evaluate(typeOfField)) === 'password';
  const isLabelled = (await target.locator(labelAround).count()) > 0;
  return isLabelled && (await target.evaluate(typeOfField)) === 'password';
}

/** Runs in the page. */
function typeOfField(element: LabelPart): unknown {
  return (element.closest('label')?.control ?? element).type;
}

interface LabelPart {
  readonly type?: unknown;
  closest(selector: 'label'): { readonly control: { readonly type: unknown } | null } | null;
}
