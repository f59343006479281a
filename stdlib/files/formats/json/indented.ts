import { stringEnd } from '#grammar/document/json/scan.ts';

const [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 58, 91, 93, 123, 125] as const;

/** Characters of a piece: what is joined by single tokens takes many times its length until it is written. */
const ENOUGH = 64 * 1024;

/**
 * A JSON text indented by two blanks, with a line feed at its end, in pieces. Order and numbers stay as they are
 * written, and so do letters, but for those that are written as escapes without need.
 */
export function* indented(text: string): Generator<string, void> {
  let result = '';
  let line = '\n';
  for (let at = afterBlanks(text, 0); at < text.length; at = afterBlanks(text, at)) {
    const unit = text.charCodeAt(at);
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      const next = afterBlanks(text, at + 1);
      const isEmpty = isClose(text.charCodeAt(next));
      if (!isEmpty) line += '  ';
      result += isEmpty ? text.charAt(at) + text.charAt(next) : text.charAt(at) + line;
      at = isEmpty ? next + 1 : next;
    } else if (isClose(unit)) {
      line = line.slice(0, -2);
      result += line + text.charAt(at);
      at += 1;
    } else if (unit === COMMA || unit === COLON) {
      result += unit === COMMA ? `,${line}` : ': ';
      at += 1;
    } else {
      const end = unit === QUOTE ? stringEnd(text, at + 1) : wordEnd(text, at);
      const token = text.slice(at, end);
      result += unit === QUOTE && token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
      at = end;
    }
    if (result.length < ENOUGH) continue;
    yield result;
    result = '';
  }
  yield `${result}\n`;
}

function isClose(unit: number): boolean {
  return unit === CLOSE_OBJECT || unit === CLOSE_LIST;
}

function afterBlanks(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) <= 32) end += 1;
  return end;
}

/** Offset behind a number or a word such as `true`. */
function wordEnd(text: string, at: number): number {
  let end = at + 1;
  for (; end < text.length; end += 1) {
    const unit = text.charCodeAt(end);
    if (unit <= 32 || unit === COMMA || isClose(unit)) break;
  }
  return end;
}
