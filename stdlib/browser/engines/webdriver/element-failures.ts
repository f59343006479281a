import type { WebElement } from 'selenium-webdriver';

import { elementAmbiguous, elementNotFound } from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { describeElements, listed } from '../page/describe.ts';
import { elsewhere, elsewhereHelp } from '../page/elsewhere.ts';
import { nearest, nearestTo } from '../page/nearest.ts';
import type { Near } from '../page/nearest.ts';
import { locatorFor, oneText, spellingOf } from '../test-objects/locator.ts';
import type { Locator } from '../test-objects/locator.ts';
import { pageForm, wireForm } from '../test-objects/wire-forms.ts';
import type { Door } from './door.ts';
import type { Scope } from './port.ts';

/** A locator that was looked for, with its name in messages. */
export interface Sought {
  readonly locator: Locator;
  readonly selector: string;
}

/** Failure of a locator that found nothing, with what comes nearest to it. */
export async function notFound(door: Door, scope: Scope, { locator, selector }: Sought): Promise<Failure> {
  const [title, url] = await door.inTime(scope, door.place(scope), ['', '']);
  const waits = 'WR_explicit_wait: { condition: { element_visible: NAME } }';
  const near = await door.inTime(scope, nearestIn(door, scope, locator, waits), {});
  const other = await door.inTime(scope, elsewhereIn(door, scope, locator), {});
  return elementNotFound({ ...near, ...other, selector, title, url, seconds: door.timeouts.implicit, waits });
}

/** Failure of a locator that found several elements where one was meant. */
export async function several(
  door: Door,
  scope: Scope,
  selector: string,
  hits: readonly WebElement[],
): Promise<Failure> {
  const asking = door.run(scope, (driver) => driver.executeScript(`return (${describeElements})(arguments[0])`, hits));
  const elements = listed(await door.inTime(scope, asking, []), hits.length);
  return elementAmbiguous({ selector, count: hits.length, elements });
}

/** Only adds to a failure: a page that does not answer adds nothing. */
function nearestIn(door: Door, scope: Scope, locator: Locator, waits: string): Promise<Near> {
  const asking = `return (${nearest})(arguments[0])`;
  return door
    .run(scope, (driver) => driver.executeScript(asking, oneText(locator)))
    .then(
      (found) => nearestTo(locator.value, found, waits, asWritten),
      () => ({}),
    );
}

/** Looks into the other frames of the site for what the driver itself looks for. */
async function elsewhereIn(door: Door, scope: Scope, locator: Locator): Promise<{ readonly help?: string }> {
  const { using, value } = pageForm(locator) === undefined ? wireForm(locator) : { using: '', value: '' };
  if (using === '' || using === 'link text' || using === 'partial link text') return {};
  const asking = `return (${elsewhere})(...arguments)`;
  return door
    .run(scope, (driver) => driver.executeScript<unknown>(asking, using === 'xpath' ? using : 'css', value))
    .then(
      (found) => elsewhereHelp(found, wayTo),
      () => ({}),
    );
}

function wayTo(chain: readonly string[]): string {
  const step = chain.length === 0 ? '' : `: { selectors: ${JSON.stringify(chain)} }`;
  return `\`${step === '' ? 'WR_iframe_back_to_default' : `WR_iframe_switch_chain${step}`}\` before this step`;
}

function asWritten(patch: string): string {
  const offered = locatorFor(patch);
  return `\`${offered.value}\` (${spellingOf(offered)})`;
}
