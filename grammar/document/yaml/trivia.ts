import { EVENT_ID } from 'js-yaml';
import type { Event } from 'js-yaml';
import { endOfLine } from '#grammar/source/lines.ts';

import type { Comment } from '../document.ts';

/**
 * The first offset from `from` on that is neither blank, line break nor comment, nor a comma where `commas` are skipped
 * too.
 */
export function skipTrivia(text: string, from: number, commas: boolean): number {
  for (let at = from; at < text.length;) {
    const unit = text.charCodeAt(at);
    if (unit === 32 || unit === 9 || unit === 10 || unit === 13 || (commas && unit === 44)) at += 1;
    else if (unit === 35 && isCommentStart(text, at)) at = endOfLine(text, at);
    else return at;
  }
  return text.length;
}

/** Whether the `#` at `at` begins a comment: at the start of a line or behind a blank. */
export function isCommentStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  return before === 32 || before === 9 || before === 10 || before === 13 || before === 0xfeff;
}

/** The comments of a YAML text: every `#` between tokens that begins one. Each character is looked at once. */
export function yamlComments(text: string, events: readonly Event[]): readonly Comment[] {
  const comments: Comment[] = [];
  const scalars = tokens(events);
  let scalar = scalars.next();
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at)) {
    while (!scalar.done && scalar.value[1] <= at) scalar = scalars.next();
    if (!scalar.done && scalar.value[0] <= at) at = scalar.value[1];
    else if (!isCommentStart(text, at)) at += 1;
    else {
      const end = endOfLine(text, at);
      comments.push({
        span: { start: at, end },
        text: text.slice(at + 1, end).trim(),
        ownLine: isFirstOfLine(text, at),
      });
      at = Math.max(end, at + 1);
    }
  }
  return comments;
}

/** Ranges in which a `#` is no comment: contents of scalars, in order. */
function* tokens(events: readonly Event[]): Generator<readonly [start: number, end: number]> {
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR && event.valueStart >= 0) yield [event.valueStart, event.valueEnd];
  }
}

function isFirstOfLine(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0; before -= 1) {
    const unit = text.charCodeAt(before);
    if (unit === 10 || unit === 13) return true;
    if (unit !== 32 && unit !== 9) return false;
  }
  return true;
}
