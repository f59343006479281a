import type { CommandMap } from '#schemas/generated/command-map.ts';

import { strategyOf } from '../../engines/test-objects/locator.ts';
import type { Locator } from '../../engines/test-objects/locator.ts';
import type { ElementRef, WebDriver, WebDriverSession, WebElement } from '../../engines/webdriver/port.ts';
import type { Answer, Asking, WaitContext } from './asking.ts';

type NamedCondition = NonNullable<CommandMap['WR_explicit_wait']['params']['condition']>;
type Target = Extract<NamedCondition['element_present'], string | object>;

/** Several names must hold together; the first that does not is the answer. */
export function namedConditions(condition: NamedCondition, ctx: WaitContext): Asking {
  const asked = Object.entries(condition) as Entry[];
  return {
    text: asked.map(textOf).join(' and '),
    pauseMs: 100,
    async ask(session) {
      let last: Answer = { holds: true, value: true };
      for (const entry of asked) {
        const answer = await askOne(entry, session, ctx);
        if (!answer.holds) return { ...answer, missed: textOf(entry) };
        if (answer.value !== undefined) last = answer;
      }
      return last;
    },
  };
}

type Entry = {
  [Name in keyof NamedCondition]-?: readonly [Name, NonNullable<NamedCondition[Name]>];
}[keyof NamedCondition];

function textOf([name, value]: Entry): string {
  return `${name} ${JSON.stringify(value)}`;
}

function askOne([name, value]: Entry, session: WebDriverSession, ctx: WaitContext): Promise<Answer> {
  switch (name) {
    case 'element_present':
      return element(value, session, ctx, () => Promise.resolve({ holds: true }));
    case 'element_visible':
      return element(value, session, ctx, async (found) => ({
        holds: await found.isDisplayed(),
        actual: 'not visible',
      }));
    case 'element_enabled':
      return element(value, session, ctx, async (found) => ({ holds: await found.isEnabled(), actual: 'not enabled' }));
    case 'element_text':
      return element(value.element, session, ctx, async (found) => compare(await found.getText(), value));
    case 'element_hidden':
      return hidden(value, session, ctx);
    case 'title_is':
    case 'title_contains':
      return text(
        session,
        ctx,
        (driver) => driver.getTitle(),
        name === 'title_is' ? { is: value } : { contains: value },
      );
    case 'address_is':
    case 'address_contains':
      return text(
        session,
        ctx,
        (driver) => driver.getCurrentUrl(),
        name === 'address_is' ? { is: value } : { contains: value },
      );
    case 'dialog_open':
      return dialog(session, ctx, value);
    case 'window_count':
      return session.run(ctx, async (driver) => {
        const count = (await driver.getAllWindowHandles()).length;
        return { holds: count === value, actual: count };
      });
  }
}

/** The element that the condition speaks of becomes current once the condition holds. */
async function element(
  target: Target,
  session: WebDriverSession,
  ctx: WaitContext,
  judge: (found: WebElement) => Promise<Answer>,
): Promise<Answer> {
  const locator = locatorOf(target, ctx);
  const found = await session.lookup(ctx, locator);
  if (!found) return { holds: false, actual: 'not on the page' };
  const answer = await session.run(ctx, () => unlessStale(judge(found)));
  if (!answer.holds) return answer;
  const ref: ElementRef = await session.setElement(found, locator);
  return { holds: true, value: ref };
}

async function hidden(target: Target, session: WebDriverSession, ctx: WaitContext): Promise<Answer> {
  const found = await session.lookup(ctx, locatorOf(target, ctx));
  if (!found) return { holds: true };
  const answer = await session.run(ctx, () =>
    unlessStale(found.isDisplayed().then((shown) => ({ holds: !shown, actual: 'visible' }))),
  );
  return answer.actual === gone ? { holds: true } : answer;
}

function text(
  session: WebDriverSession,
  ctx: WaitContext,
  read: (driver: WebDriver) => Promise<string>,
  wanted: Wanted,
): Promise<Answer> {
  return session.run(ctx, async (driver) => compare(await read(driver), wanted));
}

function dialog(session: WebDriverSession, ctx: WaitContext, open: boolean): Promise<Answer> {
  return session.run(ctx, async (driver) => {
    const there = await driver
      .switchTo()
      .alert()
      .then(
        () => true,
        (error: Error) => {
          if (error.name === 'NoSuchAlertError') return false;
          throw error;
        },
      );
    return { holds: there === open, actual: there ? 'a dialog is open' : 'no dialog is open' };
  });
}

interface Wanted {
  readonly is?: string | undefined;
  readonly contains?: string | undefined;
}

function compare(actual: string, { is, contains }: Wanted): Answer {
  return { holds: is === undefined ? actual.includes(contains ?? '') : actual === is, actual };
}

const gone = 'no longer on the page';

/** A page that changes between two questions answers "not yet". */
async function unlessStale(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'StaleElementReferenceError') return { holds: false, actual: gone };
    throw error;
  }
}

function locatorOf(target: Target, ctx: WaitContext): Locator {
  if (typeof target === 'string') return ctx.testObjects.get(target);
  const [spelling = '', value = ''] = Object.entries(target)[0] ?? [];
  const strategy = strategyOf(spelling);
  if (!strategy) throw new TypeError(`"${spelling}" is no strategy: the declaration lets only known ones through`);
  return { strategy, value };
}
