import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';
import { didYouMean } from '#compiler/did-you-mean.ts';

import { inSeconds } from './in-seconds.ts';
import { countMeant, quotedMeant, truthOfWord, writing, type Meant } from './meant.ts';

/** An object whose fields are being read, and what is needed to speak about them. */
export interface Owner {
  /** Name in messages: `meta`, `retry`. */
  readonly title: string;
  readonly object: JsonObject;
  readonly route: Route;
  readonly source: SourceId;
  readonly report: Report;
}

export function placeOf(owner: Owner, ...rest: Route): { source: SourceId; route: Route; part: 'value' } {
  return { source: owner.source, route: [...owner.route, ...rest], part: 'value' };
}

/** Kind of a value, in the words of messages. */
export function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'a number';
  return typeof value === 'boolean' ? 'a boolean' : 'an object';
}

/** Kind of a value in words; of a scalar the value itself, where its kind says too little. */
function shown(value: Json): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === '' ? 'empty' : kindOf(value);
}

/** Reports a value of the wrong shape; `meant` is what was likely meant by it, and how to write that. */
export function wrong(owner: Owner, route: Route, expected: string, value: Json, meant?: Meant): undefined {
  const name = route
    .map((piece) => (typeof piece === 'number' ? `[${piece}]` : piece))
    .join('.')
    .replaceAll('.[', '[');
  owner.report(
    d.fieldHasWrongType({
      at: placeOf(owner, ...route),
      field: name,
      owner: owner.title,
      expected,
      actual: shown(value),
      meant: meant?.text,
      fixes: meant?.fixes ?? [],
    }),
  );
  return undefined;
}

/** A field that must be there; said only where no mistyped key stands for it. */
export function missing(owner: Owner, field: string, others: Readonly<Record<string, string>> = {}): undefined {
  const isMeant = (key: string): boolean => Object.hasOwn(others, key) && others[key] === field;
  const isMistyped = Object.keys(owner.object).some(
    (key) => key !== field && (isMeant(key) || didYouMean(key, [field]).length > 0),
  );
  if (!isMistyped) owner.report(d.fieldMissing({ at: placeOf(owner), field, owner: owner.title }));
  return undefined;
}

/** The field's value; undefined where it is not given, or null was given for it. */
export function given(owner: Owner, field: string): Json | undefined {
  const value = owner.object[field];
  return value === null ? undefined : value;
}

export function text(owner: Owner, field: string): string | undefined {
  const value = given(owner, field);
  if (value === undefined) return undefined;
  return typeof value === 'string' && value !== '' ? value : wrong(owner, [field], 'text that is not empty', value);
}

/** A text that people read, which a number or a truth may be too, in quotes. */
export function label(owner: Owner, field: string): string | undefined {
  const value = given(owner, field);
  const meant = value === undefined ? undefined : quotedMeant(value, [...owner.route, field]);
  if (value === undefined || meant === undefined) return text(owner, field);
  return wrong(owner, [field], 'text that is not empty', value, meant);
}

export function flag(owner: Owner, field: string): boolean | undefined {
  const value = given(owner, field);
  if (value === undefined) return undefined;
  if (typeof value === 'boolean') return value;
  const truth = truthOfWord(value);
  const meant = truth === undefined ? undefined : writing([...owner.route, field], truth, 'safe');
  return wrong(owner, [field], 'true or false', value, meant);
}

/** A number above zero. */
export function seconds(owner: Owner, field: string): number | undefined {
  const value = given(owner, field);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0) return value;
  return wrong(owner, [field], 'a number of seconds above 0', value, secondsMeant(owner, field, value));
}

function secondsMeant(owner: Owner, field: string, value: Json): Meant | undefined {
  const meant = typeof value === 'number' ? undefined : inSeconds(value, 1);
  return meant === undefined ? undefined : writing([...owner.route, field], meant, 'safe');
}

/** A number from zero. */
export function waitSeconds(owner: Owner, field: string): number | undefined {
  const value = given(owner, field);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0) return value;
  return wrong(owner, [field], 'a number of seconds from 0', value, secondsMeant(owner, field, value));
}

/** A whole number from one. */
export function count(owner: Owner, field: string): number | undefined {
  const value = given(owner, field);
  if (value === undefined) return undefined;
  if (isCount(value)) return value;
  return wrong(owner, [field], 'a whole number from 1', value, countMeant(value, [...owner.route, field]));
}

export function isCount(value: Json): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

/** Lists of names that may be numbers or truths, in quotes. */
const NAMED: ReadonlySet<string> = new Set(['depends_on', 'locks', 'tags']);

/** A list of texts; `areWords`: none of them holds a blank, so that one text with blanks is several. */
export function texts(owner: Owner, field: string, areWords = false): readonly string[] | undefined {
  const value = given(owner, field);
  if (value === undefined) return undefined;
  if (typeof value === 'string' && listed(value).length > 0) return separated(owner, field, value, areWords);
  if (!isList(value)) return wrong(owner, [field], 'a list of texts', value, oneNameMeant(owner, field, value));
  const result: string[] = [];
  for (const [index, item] of value.entries()) {
    if (typeof item === 'string' && item !== '') result.push(item);
    else {
      const meant = NAMED.has(field) ? quotedMeant(item, [...owner.route, field, index]) : undefined;
      wrong(owner, [field, index], 'text that is not empty', item, meant);
    }
  }
  return result;
}

/** `3`, as a list of the one name that it is. */
function oneNameMeant(owner: Owner, field: string, value: Json): Meant | undefined {
  if (!NAMED.has(field) || (typeof value !== 'number' && typeof value !== 'boolean')) return undefined;
  return writing([...owner.route, field], [String(value)], 'unsafe', `["${String(value)}"]`);
}

/** Texts between commas. */
export function listed(text: string, between: string | RegExp = ','): readonly string[] {
  return text
    .split(between)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** One text where a list of them was meant: `smoke, slow`, and of words also `smoke slow`. */
function separated(owner: Owner, field: string, written: string, areWords: boolean): readonly string[] {
  const isSpaced = areWords && /\S\s+\S/.test(written) && !written.includes(',');
  const value = listed(written, isSpaced ? /\s/ : ',');
  wrong(
    owner,
    [field],
    'a list of texts',
    written,
    writing([...owner.route, field], value, isSpaced ? 'unsafe' : 'safe'),
  );
  return value;
}

export function oneOf<Choice extends string>(
  owner: Owner,
  field: string,
  choices: readonly Choice[],
  others: Readonly<Record<string, Choice>> = {},
): Choice | undefined {
  const value = given(owner, field);
  if (value === undefined) return undefined;
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  return notOneOf(owner, [field], choices, value, others);
}

/** Reports a value that is none of the choices. `others` are words that people use for one elsewhere. */
export function notOneOf(
  owner: Owner,
  route: Route,
  choices: readonly string[],
  value: Json,
  others: Readonly<Record<string, string>> = {},
): undefined {
  const word = String(value).toLowerCase();
  const meant = Object.hasOwn(others, word) ? others[word] : undefined;
  const whole = [...owner.route, ...route];
  const fixes: readonly Fix[] =
    meant === undefined
      ? []
      : [
          {
            title: `write ${meant}`,
            safety: 'unsafe',
            operations: [{ kind: 'replace', route: whole, value: meant }],
          },
        ];
  if (typeof value !== 'string') {
    const expected = choices.length > 1 ? `one of ${quoted(choices)}` : quoted(choices);
    return wrong(owner, route, expected, value, meant === undefined ? undefined : { text: meant, fixes });
  }
  const field = String(route[0]);
  owner.report(
    d.fieldNotOneOf({
      at: placeOf(owner, ...route),
      field,
      owner: owner.title,
      actual: value,
      allowed: quoted(choices),
      ...(meant === undefined ? hint(value, choices) : { nearest: meant }),
      fixes,
    }),
  );
  return undefined;
}

export function object(owner: Owner, field: string): JsonObject | undefined {
  const value = given(owner, field);
  if (value === undefined) return undefined;
  return isObject(value) ? value : wrong(owner, [field], 'an object', value);
}

/** Words that people use for keys elsewhere: the key of each, perhaps with the value that it has there. */
type OtherKeys =
  | Readonly<Record<string, string>>
  | ((key: string, value: Json) => readonly [key: string, value: Json] | undefined);

/** Reports keys that the object does not have. */
export function closed(owner: Owner, keys: readonly string[], others: OtherKeys = {}): void {
  for (const key of Object.keys(owner.object)) {
    if (keys.includes(key)) continue;
    const route = [...owner.route, key];
    const at = { source: owner.source, route, part: 'key' } as const;
    const written = owner.object[key] ?? null;
    const [meant, value] = keyMeant(key, written, others) ?? [];
    const near = meant === undefined ? hint(key, keys) : { nearest: meant };
    const isFree = meant !== undefined && !Object.hasOwn(owner.object, meant);
    const fixes = isFree ? [renameTo(meant, route, value === written ? undefined : value)] : [];
    owner.report(d.unknownField({ at, field: key, owner: owner.title, allowed: quoted(keys), ...near, fixes }));
  }
}

function keyMeant(key: string, value: Json, others: OtherKeys): readonly [key: string, value: Json] | undefined {
  if (typeof others === 'function') return others(key, value);
  const meant = Object.hasOwn(others, key) ? others[key] : undefined;
  return meant === undefined ? undefined : [meant, value];
}

/** Gives a key its name, and perhaps another value with it. */
function renameTo(key: string, route: Route, value?: Json): Fix {
  const rename = { kind: 'rename-key', route, key } as const;
  if (value === undefined) return { title: `rename it to "${key}"`, safety: 'unsafe', operations: [rename] };
  const title = `write ${key}: ${JSON.stringify(value)}`;
  return { title, safety: 'unsafe', operations: [rename, { kind: 'replace', route, value }] };
}

/** Names that one message lists; a dataset may have thousands of columns. */
const MOST_NAMES = 100;

export function quoted(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  if (more > 0) return `${quoted(names.slice(0, MOST_NAMES))} … (${more} more)`;
  return names
    .toSorted()
    .map((name) => `"${name}"`)
    .join(', ');
}

/** `{nearest}` where a name is near enough to be meant. */
export function hint(name: string, names: Iterable<string>): { nearest?: string } {
  const found = didYouMean(name, names);
  return found.length === 0 ? {} : { nearest: found.join('" or "') };
}
