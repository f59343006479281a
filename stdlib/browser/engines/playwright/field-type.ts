import type { Target } from './port.ts';
import { isLocator } from './read-property.ts';

/** Label around an element that takes no text itself. */
const labelAround = 'xpath=self::*[not(self::input or self::textarea)]/ancestor-or-self::label';

/**
 * Type of the field that the library fills for this element, in small letters; empty where it is none. The attribute of
 * the element tells it by one call of the browser's protocol, the property by eleven; only a label leads to another
 * element, its field.
 */
export async function fieldType(target: Target): Promise<string> {
  const type = await target.getAttribute('type');
  if (type !== null) return type.toLowerCase();
  if (!isLocator(target)) return asText(await target.evaluate(typeOfField));
  const isLabelled = (await target.locator(labelAround).count()) > 0;
  return isLabelled ? asText(await target.evaluate(typeOfField)) : '';
}

function asText(type: unknown): string {
  return typeof type === 'string' ? type : '';
}

/** Runs in the page. */
function typeOfField(element: LabelPart): unknown {
  return (element.closest('label')?.control ?? element).type;
}

interface LabelPart {
  readonly type?: unknown;
  closest(selector: 'label'): { readonly control: { readonly type: unknown } | null } | null;
}
