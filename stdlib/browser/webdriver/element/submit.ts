import { elementOutsideForm } from '#schemas/generated/failures.ts';

import type { Scope, WebDriverSession } from '../../engines/webdriver/port.ts';

/** Asks the page's own handlers first, then submits without the browser's check of fields, as drivers do. */
const script = `
const element = arguments[0];
const form = element instanceof HTMLFormElement ? element : element.form ?? element.closest('form');
if (!form) return false;
if (form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))) HTMLFormElement.prototype.submit.call(form);
return true;`;

/** Submits the form of the current element. */
export function submit(session: WebDriverSession, scope: Scope): Promise<void> {
  return session.element(scope, async (element, { name }) => {
    if (!(await element.getDriver().executeScript<boolean>(script, element)))
      throw elementOutsideForm({ selector: name });
  });
}
