import { SCALAR_STYLE } from 'js-yaml';
import type { Event, ScalarEvent } from 'js-yaml';

import type { Span } from '#schemas/types/place.ts';

/**
 * The range of a scalar as it is written: quotes included; a block text from its `|` or `>` (not before `from`) to the
 * end of its last line that is not blank.
 */
export function scalarSpan(text: string, event: ScalarEvent, from: number): Span {
  const { valueStart, valueEnd } = event;
  switch (event.style) {
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return { start: valueStart - 1, end: valueEnd + 1 };
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK:
      return blockSpan(text, event, from);
    case SCALAR_STYLE.PLAIN:
      return { start: valueStart, end: valueEnd };
  }
}

function blockSpan(text: string, { valueStart, valueEnd }: ScalarEvent, from: number): Span {
  const header = headerStart(text, Math.max(from, lineStart(text, valueStart - 1)), valueStart);
  let end = Math.max(valueEnd, header + 1);
  // The line break at the end belongs to the layout; `|+` keeps more of them, which only matter to the value.
  while (end > header + 1 && isBreak(text.charCodeAt(end - 1))) end -= 1;
  return { start: header, end };
}

function headerStart(text: string, from: number, to: number): number {
  const found = /[|>][-+0-9]{0,2}[ \t]*(?:[ \t]#[^\r\n]*)?(?:\r\n?|\n|$)/.exec(text.slice(from, to));
  return found === null ? from : from + found.index;
}

function lineStart(text: string, offset: number): number {
  let at = Math.min(offset, text.length);
  if (text.charCodeAt(at) === 10 && text.charCodeAt(at - 1) === 13) at -= 1;
  while (at > 0 && !isBreak(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isBreak(unit: number): boolean {
  return unit === 10 || unit === 13;
}

/** Start of a node's anchor or tag, or -1. */
export function propertiesStart(event: Exclude<Event, { readonly type: 1 | 5 | 6 }>): number {
  const anchor = event.anchorStart < 0 ? -1 : event.anchorStart - 1;
  if (anchor < 0) return event.tagStart;
  return event.tagStart < 0 ? anchor : Math.min(anchor, event.tagStart);
}

/** End of a node's anchor or tag, or -1. */
export function propertiesEnd(event: Exclude<Event, { readonly type: 1 | 5 | 6 }>): number {
  return Math.max(event.anchorEnd, event.tagEnd);
}
