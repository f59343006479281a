import type { Base, Ports } from '#runtime/kernel/ports.ts';

import type { Target } from '../engines/playwright/port.ts';
import { droppedValue, dropsValues } from '../engines/page/whole-value.ts';
import { fieldType } from '../engines/playwright/field-type.ts';
import { isLocator } from '../engines/playwright/read-property.ts';
import { hideTyped } from '../typed-secret.ts';

/**
 * Context of actions that page commands and element commands do in the same way: with a selector on its first
 * or only match, which is waited for; without one on the current element.
 */
export type ActContext = Base & Pick<Ports, 'playwright'>;
type Selector = string | undefined;

/** Use of the pointer where it is not the plain one. */
export interface Pointing {
  readonly modifiers?: readonly Modifier[] | undefined;
  /** Pixels from the upper left corner of the element; its middle where it is absent. */
  readonly position?: { readonly x: number; readonly y: number } | undefined;
  readonly force: boolean;
}
type Modifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift';
type Pressing = Pointing & { readonly button: 'left' | 'right' | 'middle' };

/** One option, or several. */
export type Choice = string | OptionChoice | readonly (string | OptionChoice)[];
interface OptionChoice {
  readonly value?: string;
  readonly label?: string;
  readonly index?: number;
}

/** The masker does not look for shorter texts. */
const shortestSecret = 4;

export function click(ctx: ActContext, selector: Selector, how: Pressing): Promise<void> {
  return act(ctx, selector, (target, until) => target.click({ ...until, button: how.button, ...pointing(how) }));
}

export function doubleClick(ctx: ActContext, selector: Selector, how: Pressing): Promise<void> {
  return act(ctx, selector, (target, until) => target.dblclick({ ...until, button: how.button, ...pointing(how) }));
}

export function hover(ctx: ActContext, selector: Selector, how: Pointing): Promise<void> {
  return act(ctx, selector, (target, until) => target.hover({ ...until, ...pointing(how) }));
}

export function check(ctx: ActContext, selector: Selector): Promise<void> {
  return actOnOnly(ctx, selector, (target, until) => target.check(until));
}

export function uncheck(ctx: ActContext, selector: Selector): Promise<void> {
  return actOnOnly(ctx, selector, (target, until) => target.uncheck(until));
}

export function press(ctx: ActContext, selector: Selector, key: string): Promise<void> {
  return actOnOnly(ctx, selector, (target, until) => target.press(key, until));
}

export function fill(ctx: ActContext, selector: Selector, value: string): Promise<void> {
  return act(ctx, selector, async (target, until) => {
    const type = await hidingPassword(target, value, target.fill(value, until), () => ctx.mask(value));
    // The library takes such a field for filled. The door makes this the failure of the element.
    if (dropsValues(type) && (await target.inputValue()) === '') throw new TypeError(droppedValue(type, value));
  });
}

export function typeText(ctx: ActContext, selector: Selector, text: string, delay: number): Promise<void> {
  const type = async (target: Target, until: { readonly signal: AbortSignal }): Promise<void> => {
    const limit = ctx.playwright.session.actionMs(ctx);
    await untilEditable(target, limit);
    const options = { ...until, delay, timeout: limit === 0 ? 0 : delay * text.length + limit };
    await (isLocator(target) ? target.pressSequentially(text, options) : target.type(text, options));
  };
  return act(ctx, selector, async (target, until) => {
    await hidingPassword(target, text, type(target, until), () => hideTyped(ctx, text));
  });
}

/** Options of the library; it does not take undefined for what is not given. */
function pointing({ modifiers, position, force }: Pointing): PointerOptions {
  return { force, ...(modifiers && { modifiers: [...modifiers] }), ...(position && { position }) };
}

interface PointerOptions {
  readonly force: boolean;
  readonly modifiers?: Modifier[];
  readonly position?: NonNullable<Pointing['position']>;
}

/** A plain text matches a value or a label; a list replaces the selection of a multiple select. */
export function choose(ctx: ActContext, selector: Selector, choice: Choice): Promise<string[]> {
  const wanted = isList(choice) ? choice : [choice];
  const options = wanted.map((each) => (typeof each === 'string' ? either(each) : each));
  return actOnOnly(ctx, selector, (target, until) => target.selectOption(options, until));
}

/** The library types into a field that is read-only or disabled without a word, and nothing happens. */
async function untilEditable(target: Target, timeout: number): Promise<void> {
  const missing = await missingState(target, timeout);
  if (missing === undefined) return;
  const element = isLocator(target) ? await target.elementHandle({ timeout }) : target;
  try {
    await element.waitForElementState(missing, { timeout });
  } finally {
    if (isLocator(target)) await element.dispose();
  }
}

/** State that typing waits for; only what takes text can be editable. */
async function missingState(target: Target, timeout: number): Promise<'editable' | 'enabled' | undefined> {
  try {
    const isEditable = isLocator(target) ? await target.isEditable({ timeout }) : await target.isEditable();
    return isEditable ? undefined : 'editable';
  } catch (error) {
    if (!(error instanceof Error) || !/Element is not an <input>/.test(error.message)) throw error;
    const isEnabled = isLocator(target) ? await target.isEnabled({ timeout }) : await target.isEnabled();
    return isEnabled ? undefined : 'enabled';
  }
}

/**
 * Hides a text from now on that is typed into a password field, also where that fails: the library's words for it hold
 * the text. The field is asked at the same time, so that it costs no time of its own. Resolves with the type of the
 * field, empty where it is none or was not asked for.
 */
async function hidingPassword(target: Target, text: string, acting: Promise<void>, hide: () => void): Promise<string> {
  const asking = text.length < shortestSecret ? Promise.resolve('') : fieldType(target);
  const hiding = asking.then(
    (type) => {
      if (type === 'password') hide();
      return type;
    },
    () => '',
  );
  try {
    await acting;
  } finally {
    await hiding;
  }
  return hiding;
}

function act<T>(
  ctx: ActContext,
  selector: Selector,
  work: (target: Target, until: { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  return ctx.playwright.session.element(ctx, selector, (target) => work(target, { signal: ctx.signal }));
}

/** The same for commands of which the reference does not say that they use the first of several matches. */
function actOnOnly<T>(
  ctx: ActContext,
  selector: Selector,
  work: (target: Target, until: { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  return ctx.playwright.session.only(ctx, selector, (target) => work(target, { signal: ctx.signal }));
}

/** A plain text in the form in which the library itself sends it; a list of its own may not mix the two kinds. */
function either(text: string): OptionChoice & { readonly valueOrLabel: string } {
  return { valueOrLabel: text };
}

function isList(choice: Choice): choice is readonly (string | OptionChoice)[] {
  return Array.isArray(choice);
}
