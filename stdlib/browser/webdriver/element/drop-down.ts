import { elementNotReady, notADropDown, optionNotFound } from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { command } from '#stdlib/command.ts';

import type { Doubt, Scope, WebDriverSession, WebElement } from '../../engines/webdriver/port.ts';

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

/**
 * Clicks the options, as a user does, so that the page hears of it. Earlier choices of a multiple select stay. Options
 * that come late, or are disabled at first, are waited for.
 */
async function choose(
  session: WebDriverSession,
  scope: Scope,
  by: 'index' | 'value' | 'text',
  wanted: string | number,
): Promise<void> {
  const settled = await session.settled(scope, () =>
    session.act(scope, ['visible', 'enabled'], async (element, { name: selector }) => {
      const found = await element.getDriver().executeScript<Choice | NotOne>(match, element, by, wanted);
      if ('tag' in found) throw notADropDown({ selector, tag: found.tag });
      const { hits, known } = found;
      if (hits.length === 0)
        return doubt(() => optionNotFound({ selector, by, wanted, expected: wanted, actual: known }));
      if (hits.some(({ disabled }) => disabled))
        return doubt((seconds) => elementNotReady({ selector, reason: `the option is disabled; waited ${seconds} s` }));
      for (const { option, selected } of hits) if (!selected) await option.click();
      return undefined;
    }),
  );
  if (settled) throw settled.wrong(settled.seconds);
}

/** A failure that is one as soon as it has been waited for long enough. */
function doubt(wrong: (seconds: number) => Failure): Doubt<(seconds: number) => Failure> {
  return { wrong, isFinal: false };
}
