import type { Route } from '#schemas/types/place.ts';
import type { Ref, RefConversion, RefNamespace } from '#schemas/types/reference.ts';
import { Cursor } from '#grammar/language/cursor.ts';
import type { Range } from '#grammar/language/problem.ts';
import { latePattern } from '#grammar/language/late-pattern.ts';
import { QUOTED, unquote } from '#grammar/language/quoted.ts';

import { CONVERSIONS, EVENT_MEMBERS, IDENTIFIER, MOST_LENGTH, isBare, takesSuffix } from './ast.ts';
import type { ParsedText, ReferenceProblem } from './ast.ts';

/** Whether a text could hold a reference or an escaped one: two looks for a brace, nothing is parsed. */
export function hasReference(text: string): boolean {
  return text.includes('{{') || text.includes('${');
}

/**
 * Reads a text whose references are all well formed, in one pass and without the grammar; undefined for any
 * other, where the grammar decides. Texts that it accepts it reads as the grammar does (held to it by a
 * differential test).
 */
export function scanText(text: string, ranges?: Range[]): ParsedText | undefined {
  return readText(text, () => undefined, ranges);
}

/**
 * Reads a reference that the scan could not: yields a reference after all, or a problem; undefined ends the
 * reading.
 */
export type ReadBroken = (
  text: string,
  at: number,
) => { readonly ref?: Ref; readonly end: number; readonly problem?: ReferenceProblem } | undefined;

/**
 * Splits a text into literals and references from left to right; `broken` reads those that the scanner does not. Adds
 * the range of each part to `ranges`.
 */
export function readText(text: string, broken: ReadBroken, ranges?: Range[]): ParsedText | undefined {
  const parts: (string | Ref)[] = [];
  let problems: readonly ReferenceProblem[] = NO_PROBLEMS;
  const cursor = new Cursor(text);
  let literal = '';
  let literalFrom = 0;
  let from = 0;
  for (let at = nextMark(text, 0); at >= 0; at = nextMark(text, cursor.at)) {
    const escaped = escapeAt(text, at, from);
    if (escaped !== undefined) {
      literal += text.slice(from, escaped.start) + escaped.value;
      from = cursor.at = escaped.end;
      continue;
    }
    cursor.at = at;
    const ref = scanReference(cursor);
    const read = ref === undefined ? broken(text, at) : { ref, end: cursor.at };
    if (read === undefined) return undefined;
    cursor.at = read.end;
    if (read.problem !== undefined) problems = [...problems, read.problem];
    // A broken reference stays in the literal text.
    if (read.ref === undefined) continue;
    literal += text.slice(from, at);
    if (literal !== '') {
      parts.push(literal);
      ranges?.push([literalFrom, at]);
      literal = '';
    }
    parts.push(read.ref);
    ranges?.push([at, read.end]);
    from = literalFrom = read.end;
  }
  literal += text.slice(from);
  if (literal !== '' || parts.length === 0) {
    parts.push(literal);
    ranges?.push([literalFrom, text.length]);
  }
  // Kept as long as the compilation: a copy has no room to grow.
  return { parts: parts.slice(), problems };
}

const NO_PROBLEMS: readonly ReferenceProblem[] = [];

/** The reference whose mark stands at the cursor; undefined where it is not well formed. */
export function scanReference(cursor: Cursor): Ref | undefined {
  const from = cursor.at;
  const isDollar = cursor.text.charCodeAt(from) === 36;
  cursor.at += 2;
  const ref = isDollar ? scanDollar(cursor) : scanBraces(cursor);
  return cursor.at - from > MOST_LENGTH ? undefined : ref;
}

/** Offset of the next `${` or `{{`, escaped or not; -1: there is none. */
function nextMark(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1)) {
    if (at > from && text.charCodeAt(at - 1) === 36) return at - 1;
    if (text.charCodeAt(at + 1) === 123) return at;
  }
  return -1;
}

/** `$${` and `\{{`: the mark with the character in front of it that makes it literal. */
function escapeAt(
  text: string,
  at: number,
  from: number,
): { readonly start: number; readonly end: number; readonly value: string } | undefined {
  const isDollar = text.charCodeAt(at) === 36;
  if (at === from || text.charCodeAt(at - 1) !== (isDollar ? 36 : 92)) return undefined;
  return { start: at - 1, end: at + 2, value: isDollar ? '${' : '{{' };
}

const NAME = /[^:{}\s](?:[^:{}\r\n]*[^:{}\s])?/y;
const FORMAT = /[^{}]+/y;

function scanDollar(cursor: Cursor): Ref | undefined {
  const head = cursor.match(/(?:ENV|ROW|MATRIX|event|run)\.|(?:env|file|date):|uuid:v4|[a-z]+/y);
  switch (head) {
    case 'ENV.':
    case 'ROW.':
    case 'MATRIX.':
      return suffixed(cursor, head.slice(0, -1) as RefNamespace, cursor.match(NAME));
    case 'env:':
    case 'file:':
      return suffixed(cursor, head.slice(0, -1) as RefNamespace, cursor.match(NAME));
    case 'event.': {
      const member = cursor.match(NAME);
      return EVENT_MEMBERS.includes(member ?? '') ? suffixed(cursor, 'event', member) : undefined;
    }
    case 'run.':
      return scanRun(cursor);
    case 'date:':
      return closed(cursor, 'date', cursor.match(FORMAT));
    case 'uuid:v4':
      return closed(cursor, 'uuid', 'v4');
    default:
      return head !== undefined && isBare(head) ? closed(cursor, head, '') : undefined;
  }
}

function scanRun(cursor: Cursor): Ref | undefined {
  if (cursor.take('date:')) {
    const format = cursor.match(FORMAT);
    return format === undefined ? undefined : closed(cursor, 'run', `date:${format}`);
  }
  return closed(cursor, 'run', cursor.match(/id|tmp|date/y));
}

function closed(cursor: Cursor, ns: RefNamespace, name: string | undefined): Ref | undefined {
  return name !== undefined && cursor.take('}') ? { ns, name } : undefined;
}

function suffixed(cursor: Cursor, ns: RefNamespace, name: string | undefined): Ref | undefined {
  if (name === undefined || !takesSuffix(ns)) return undefined;
  const convert = scanConversion(cursor);
  if (convert === null) return undefined;
  const byDefault = cursor.take(':-') ? (cursor.match(/[^{}]+/y) ?? '') : undefined;
  return cursor.take('}') ? made(ns, name, [], convert, byDefault) : undefined;
}

/** Undefined: there is none; null: there is something else. */
function scanConversion(cursor: Cursor): RefConversion | undefined | null {
  // Most references have none.
  if (cursor.text.charCodeAt(cursor.at) !== 58) return undefined;
  const suffix = cursor.match(/:[A-Za-z]+/y);
  if (suffix === undefined) return undefined;
  return CONVERSIONS.find((conversion) => conversion === suffix.slice(1)) ?? null;
}

function made(
  ns: RefNamespace,
  name: string,
  path: Route,
  convert: RefConversion | undefined,
  byDefault: string | undefined,
): Ref {
  if (path.length === 0 && byDefault === undefined && convert === undefined) return { ns, name };
  return {
    ns,
    name,
    ...(path.length === 0 ? {} : { path }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(convert === undefined ? {} : { convert }),
  };
}

const NO_STEPS: Route = [];
const pathName = latePattern(IDENTIFIER, 'uy');
const dotted = latePattern(`${IDENTIFIER}|(?:0|[1-9][0-9]{0,9})(?![\\p{L}\\p{N}_$-])`, 'uy');
const INDEX = /0|[1-9][0-9]{0,9}/y;
const KEY = new RegExp(QUOTED, 'y');

function scanBraces(cursor: Cursor): Ref | undefined {
  cursor.blanks();
  const path = scanPath(cursor);
  if (path === undefined) return undefined;
  cursor.blanks();
  const convert = scanConversion(cursor);
  if (convert === null) return undefined;
  cursor.blanks();
  const byDefault = cursor.take(':-') ? (cursor.match(/[^{}]+/y) ?? '').trim() : undefined;
  cursor.blanks();
  if (!cursor.take('}}')) return undefined;
  return made('var', String(path[0]), path.length === 1 ? NO_STEPS : path.slice(1), convert, byDefault);
}

/**
 * A path as far as it goes: a name, then `.name`, `.0`, `[0]` and `["any text"]`; undefined where none begins, or a
 * step is broken.
 */
export function scanPath(cursor: Cursor): Route | undefined {
  const first =
    plainName(cursor) ?? (cursor.text.charCodeAt(cursor.at) === 91 ? quotedStep(cursor) : cursor.match(pathName()));
  return first === undefined ? undefined : scanSteps(cursor, first);
}

/** A short name of ASCII letters, digits and `_`, as most are: it takes no pattern. Any other is left to one. */
function plainName(cursor: Cursor): string | undefined {
  const { text, at } = cursor;
  let end = at;
  while (isPlain(text.charCodeAt(end), end > at)) end += 1;
  const unit = text.charCodeAt(end);
  // `$`, `-`, a combining mark or a letter of another alphabet would go on with the name.
  if (end === at || end - at > MOST_PLAIN || unit === 36 || unit === 45 || unit > 127) return undefined;
  cursor.at = end;
  return text.slice(at, end);
}

const MOST_PLAIN = 200;

function isPlain(unit: number, hasBegun: boolean): boolean {
  const isLetter = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
  return isLetter || (hasBegun && unit >= 48 && unit <= 57);
}

/** The rest of a path behind its first step. */
export function scanSteps(cursor: Cursor, first: string | number): Route | undefined {
  const path = [first];
  for (;;) {
    const end = cursor.at;
    cursor.blanks();
    const unit = cursor.text.charCodeAt(cursor.at);
    if (unit !== 46 && unit !== 91) {
      cursor.at = end;
      return path;
    }
    const step = unit === 46 ? dottedStep(cursor) : bracketStep(cursor);
    if (step === undefined) return undefined;
    path.push(step);
  }
}

function dottedStep(cursor: Cursor): string | number | undefined {
  cursor.at += 1;
  cursor.blanks();
  const plain = plainName(cursor);
  if (plain !== undefined) return plain;
  const step = cursor.match(dotted());
  return step !== undefined && /^[0-9]/.test(step) ? Number(step) : step;
}

function bracketStep(cursor: Cursor): string | number | undefined {
  const quoted = quotedStep(cursor);
  if (quoted !== undefined) return quoted;
  cursor.at += 1;
  cursor.blanks();
  const index = cursor.match(INDEX);
  cursor.blanks();
  return index !== undefined && cursor.take(']') ? Number(index) : undefined;
}

function quotedStep(cursor: Cursor): string | undefined {
  const start = cursor.at;
  cursor.at += 1;
  cursor.blanks();
  const key = cursor.match(KEY);
  cursor.blanks();
  if (key !== undefined && cursor.take(']')) return unquote(key);
  cursor.at = start;
  return undefined;
}
