import type { Value } from './library.ts';

/** The value of an argument, by its place or its name. */
export type Argument = (place: number, name: string) => unknown;

/** A text, several, a number with or without fraction, or one of the values that were given. */
export type Filtered =
  | string
  | { readonly texts: readonly string[] }
  | { readonly number: number; readonly isFloat: boolean }
  | { readonly value: Value };

/** Filters of Jinja that the library lacks, or fills in another way; undefined: ask the library. */
export const filters: Readonly<Record<string, (operand: Value, argument: Argument) => Filtered | undefined>> = {
  capitalize: ({ value }) => (typeof value === 'string' ? capitalized(value) : undefined),
  count: lengthOf,
  first: (operand) => memberOf(operand, 0),
  int: (operand) =>
    typeof operand.value === 'number' ? { number: Math.trunc(operand.value), isFloat: false } : undefined,
  join: joined,
  last: (operand) => memberOf(operand, -1),
  length: lengthOf,
  list: ({ value }) => (typeof value === 'string' ? { texts: [...value] } : undefined),
  max: (operand) => extreme(operand, 1),
  min: (operand) => extreme(operand, -1),
  reverse: ({ value }) => (typeof value === 'string' ? [...value].toReversed().join('') : undefined),
  round: rounded,
  sum: summed,
  title: ({ value }) => (typeof value === 'string' ? value.split(WORD_BEGINNING).map(capitalized).join('') : undefined),
  truncate: truncated,
  urlencode: (operand) =>
    encodeURIComponent(operand.toString())
      .replace(/%2F/g, '/')
      .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
  wordcount: (operand) => ({ number: operand.toString().match(/[\p{L}\p{N}_]+/gu)?.length ?? 0, isFloat: false }),
};

/** Signs behind which a word begins; they stay where they are. */
const WORD_BEGINNING = /([-\s({[<]+)/;

function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

function lengthOf({ value }: Value): Filtered | undefined {
  if (typeof value === 'string') return { number: [...value].length, isFloat: false };
  if (value instanceof Map) return { number: value.size, isFloat: false };
  return Array.isArray(value) ? { number: value.length, isFloat: false } : undefined;
}

function memberOf({ value }: Value, place: number): Filtered | undefined {
  if (typeof value === 'string') {
    const character = [...value].at(place);
    if (character !== undefined) return character;
  } else if (!Array.isArray(value)) {
    return undefined;
  } else if (value.length > 0) {
    return { value: value.at(place) as Value };
  }
  throw new Error(`there is no ${place === 0 ? 'first' : 'last'} one: nothing is in it`);
}

/** Items joined, each as it would be written by itself. */
function joined({ value }: Value, argument: Argument): Filtered | undefined {
  const items =
    typeof value === 'string'
      ? [...value]
      : Array.isArray(value)
        ? (value as readonly Value[]).map((item) => (item.type === 'NullValue' ? '' : item.toString()))
        : undefined;
  return items?.join(String(argument(0, 'd') ?? ''));
}

function extreme({ value }: Value, sign: number): Filtered | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value as readonly Value[];
  if (items.length === 0) throw new Error('nothing is in the list');
  return { value: items.reduce((best, item) => (sign * compared(item, best) > 0 ? item : best)) };
}

function compared(one: Value, other: Value): number {
  const [a, b] = [one.value, other.value];
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== 'string' || typeof b !== 'string') throw new Error(`${one.type} and ${other.type} have no order`);
  const [first, second] = [a.toLowerCase(), b.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

function summed({ value }: Value, argument: Argument): Filtered | undefined {
  if (!Array.isArray(value)) return undefined;
  const attribute = argument(0, 'attribute');
  const items = (value as readonly Value[]).map((item) =>
    typeof attribute === 'string' && item.value instanceof Map
      ? ((item.value as Map<string, Value>).get(attribute) ?? item)
      : item,
  );
  if (items.some((item) => typeof item.value !== 'number')) throw new Error('the sum of what is no number');
  return {
    number: items.reduce((sum, item) => sum + Number(item.value), 0),
    isFloat: items.some(({ type }) => type === 'FloatValue'),
  };
}

/** Ties go to the even neighbour, as Python has it. */
function rounded({ type, value }: Value, argument: Argument): Filtered | undefined {
  if (typeof value !== 'number') return undefined;
  const precision = Number(argument(0, 'precision') ?? 0);
  const method = String(argument(1, 'method') ?? 'common');
  if (!Number.isInteger(precision) || Math.abs(precision) > 100)
    throw new Error('round() takes a whole number of places');
  const factor = 10 ** precision;
  if (method === 'ceil' || method === 'floor') return { number: Math[method](value * factor) / factor, isFloat: true };
  if (method !== 'common') throw new Error('round() knows the methods common, ceil and floor');
  const isTie =
    precision >= 0 && Number.isInteger(value * 2 ** (precision + 1)) && Math.abs((value * factor) % 1) === 0.5;
  const isFloat = type === 'FloatValue';
  if (isTie) return { number: (2 * Math.round((value * factor) / 2)) / factor, isFloat };
  return { number: precision < 0 ? Math.round(value * factor) / factor : Number(value.toFixed(precision)), isFloat };
}

function truncated(operand: Value, argument: Argument): Filtered {
  const characters = [...operand.toString()];
  const length = Number(argument(0, 'length') ?? 255);
  const end = String(argument(2, 'end') ?? '...');
  if (characters.length <= length + Number(argument(3, 'leeway') ?? 5)) return characters.join('');
  const cut = characters.slice(0, Math.max(0, length - [...end].length)).join('');
  if (argument(1, 'killwords') === true) return cut + end;
  const space = cut.lastIndexOf(' ');
  return (space < 0 ? cut : cut.slice(0, space)) + end;
}
