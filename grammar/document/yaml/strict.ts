import { COLLECTION_STYLE, SCALAR_STYLE } from 'js-yaml';
import type { MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml';

import { startOfLine } from '../line-layout.ts';
import { propertiesEnd } from './span.ts';

/**
 * Checks where the parser is more lenient than YAML 1.2, or reads it in a way of its own: the differential
 * corpus found these.
 */

/**
 * Whether a block object may begin at `start`: first on its line, or behind the `:` of a key that was marked with `?`.
 */
export function beginsBlock(text: string, start: number): boolean {
  let at = start - 1;
  while (text.charCodeAt(at) === 32) at -= 1;
  const before = text.charCodeAt(at);
  if (at < 0 || before === 10 || before === 13) return true;
  return /^[ ]*:?[ \t]*(?:[&!]\S*[ \t]+)*$/.test(text.slice(startOfLine(text, start), start));
}

/** Whether a key stands in block style without a `?`. */
export function isImplicitKey(text: string, key: ScalarEvent, holder: MappingEvent): boolean {
  if (holder.style === COLLECTION_STYLE.FLOW) return false;
  return !/\?[ \t]+[^ ]*$/.test(text.slice(startOfLine(text, key.valueStart), key.valueStart));
}

/** Whether a value follows its anchor or tag without a blank. */
export function touchesValue(text: string, event: ScalarEvent | MappingEvent | SequenceEvent): boolean {
  const isEmpty = 'valueStart' in event && event.valueStart < 0;
  return !isEmpty && !/^(?:\s|$)/.test(text.slice(propertiesEnd(event), propertiesEnd(event) + 1));
}

/**
 * A block text that is the whole document: its indentation indicator counts from column 0, as everywhere else and in
 * other readers, where the parser reckons with a parent to the left of that. Undefined where a line is indented less.
 */
export function rootScalar(text: string, event: ScalarEvent): ScalarEvent | undefined {
  if (event.style !== SCALAR_STYLE.LITERAL_BLOCK && event.style !== SCALAR_STYLE.FOLDED_BLOCK) return event;
  const header = text.slice(startOfLine(text, event.valueStart - 1), event.valueStart);
  const digit = /[|>][-+]?([1-9])/.exec(header)?.[1];
  if (digit === undefined) return event;
  const indent = Number(digit);
  const lines = text.slice(event.valueStart, event.valueEnd).split(/\r\n?|\n/);
  const isIndented = lines.every((line) => line.trim() === '' || line.startsWith(' '.repeat(indent)));
  return isIndented ? { ...event, indent } : undefined;
}
