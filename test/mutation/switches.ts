import { bodiesOf, type Mutant, type Node } from './mutants.ts';
import { SWITCH } from './switch.ts';

/** A change and the number by which it is chosen while the code runs. */
export interface Numbered extends Mutant {
  readonly number: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly open: string;
  readonly close: string;
}

/**
 * The text with all these changes in it, each behind a switch; each function asks for the `probe`, so that tests which
 * use the module are known. Pages of browsers have no switches: code that is sent there is as it was.
 */
export function withSwitches(text: string, mutants: readonly Numbered[], probe?: number): string {
  const spans = [
    ...mutants.map((mutant) => spanOf(text, mutant)),
    ...(probe === undefined ? [] : bodiesOf(text).map((body) => probeIn(body, probe))),
  ].toSorted((a, b) => a.start - b.start || b.end - a.end);
  const open: Span[] = [];
  let result = '';
  let at = 0;
  const closeUntil = (limit: number): void => {
    for (let top = open.at(-1); top !== undefined && top.end <= limit; top = open.at(-1)) {
      result += text.slice(at, top.end) + top.close;
      at = top.end;
      open.pop();
    }
  };
  for (const span of spans) {
    closeUntil(span.start);
    result += text.slice(at, span.start) + span.open;
    at = span.start;
    open.push(span);
  }
  closeUntil(text.length);
  return result + text.slice(at);
}

function spanOf(text: string, { around, number, ...mutant }: Numbered): Span {
  const { start, end, isStatement } = around;
  const chosen = `globalThis.${SWITCH}?.(${number})`;
  if (isStatement) return { start, end, open: `{ if (!${chosen}) { `, close: ' } }' };
  const changed = text.slice(start, mutant.start) + mutant.text + text.slice(mutant.end, end);
  return { start, end, open: `(${chosen} ? (${changed}) : (`, close: '))' };
}

function probeIn({ type, start, end }: Node, probe: number): Span {
  const asked = `globalThis.${SWITCH}?.(${probe})`;
  return type === 'BlockStatement'
    ? { start: start + 1, end: start + 1, open: ` ${asked};`, close: '' }
    : { start, end, open: `(${asked}, (`, close: '))' };
}
