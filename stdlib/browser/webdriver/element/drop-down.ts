import { elementNotReady, notADropDown, optionNotFound } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import type { CurrentElement, Scope, WebDriverSession, WebElement } from '../../engines/webdriver/port.ts';

export const WR_element_get_select = command('WR_element_get_select', (_, ctx) =>
  ctx.webdriver.current.element(ctx, async (element, current) => {
    const described = await element.getDriver().executeScript<DropDown | NotOne>(describe, element);
    if ('tag' in described) throw notADropDown({ selector: current.name, tag: described.tag });
    return described;
  }),
);

export const WR_element_select_by_index = command('WR_element_select_by_index', ({ index }, ctx) =>
  choose(ctx.webdriver.current, ctx, 'index', index),
);

export const WR_element_select_by_value = command('WR_element_select_by_value', ({ value }, ctx) =>
  choose(ctx.webdriver.current, ctx, 'value', value),
);

export const WR_element_select_by_visible_text = command('WR_element_select_by_visible_text', ({ text }, ctx) =>
  choose(ctx.webdriver.current, ctx, 'text', text),
);

interface NotOne {
  readonly tag: string;
}

interface DropDown {
  readonly multiple: boolean;
  readonly options: readonly {
    readonly index: number;
    readonly value: string;
    readonly text: string;
    readonly selected: boolean;
    readonly disabled: boolean;
  }[];
}

interface Choice {
  readonly hits: readonly { readonly option: WebElement; readonly selected: boolean; readonly disabled: boolean }[];
  readonly known: readonly (string | number)[];
}

const disabled = `(option) => option.disabled || option.parentElement?.disabled === true`;

const describe = `
const select = arguments[0];
if (!(select instanceof HTMLSelectElement)) return { tag: select.localName };
const disabled = ${disabled};
const options = [...select.options].map((option) => ({
  index: option.index, value: option.value, text: option.text, selected: option.selected, disabled: disabled(option),
}));
return { multiple: select.multiple, options };`;

/**
 * Script that finds options: in a multiple select every match counts, else the first. At most 20 of the
 * existing ones are sent back, for the message.
 */
const match = `
const [select, by, wanted] = arguments;
if (!(select instanceof HTMLSelectElement)) return { tag: select.localName };
const disabled = ${disabled};
const options = [...select.options];
const hits = options.filter((option) => (by === 'text' ? option.text === wanted.trim().replace(/\\s+/g, ' ') : option[by] === wanted));
return {
  hits: (select.multiple ? hits : hits.slice(0, 1)).map((option) => ({ option, selected: option.selected, disabled: disabled(option) })),
  known: options.slice(0, 20).map((option) => option[by]),
};`;

/** Clicks the options, as a user does, so that the page hears of it. Earlier choices of a multiple select stay. */
function choose(
  session: WebDriverSession,
  scope: Scope,
  by: 'index' | 'value' | 'text',
  wanted: string | number,
): Promise<void> {
  return session.element(scope, async (element, current) => {
    const found = await element.getDriver().executeScript<Choice | NotOne>(match, element, by, wanted);
    if ('tag' in found) throw notADropDown({ selector: current.name, tag: found.tag });
    if (found.hits.length === 0)
      throw optionNotFound({ selector: current.name, by, wanted, expected: wanted, actual: found.known });
    await clickAll(found, current);
  });
}

async function clickAll({ hits }: Choice, { name }: CurrentElement): Promise<void> {
  if (hits.some((hit) => hit.disabled)) throw elementNotReady({ selector: name, reason: 'the option is disabled' });
  for (const { option, selected } of hits) if (!selected) await option.click();
}
