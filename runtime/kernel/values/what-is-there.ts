import type { Missing } from './path.ts';
import { typeName } from './type-name.ts';

/** Names that are listed, and characters of one that is; longer ones are told by their number alone. */
const MOST_NAMES = 12;
const LONGEST_NAME = 60;

/** A sentence about the value where a path leads nowhere: its keys with the nearest first, or what it is instead. */
export function whatIsThere({ piece, before, there }: Missing): string | undefined {
  if (!there) return undefined;
  const { value, owner } = there;
  const answer = value === null || value === undefined ? withoutJson(owner) : undefined;
  if (answer !== undefined) return answer;
  if (Array.isArray(value)) return listIsThere(value.length, piece, before);
  if (typeof value !== 'object' || value === null) return `${before} is ${typeName(value)}.`;
  const names = Object.keys(value);
  if (names.length === 0) return `${before} is an empty object.`;
  const near = nearestName(piece, names);
  const listed = names.slice(0, MOST_NAMES).filter((name) => name.length <= LONGEST_NAME);
  const more = names.length - listed.length;
  const all = `There ${names.length === 1 ? 'is' : 'are'} ${listed.map((name) => `"${name}"`).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
  return near === undefined ? all : `Did you mean "${near}"? ${all}`;
}

/** Names that the length of a list has elsewhere. */
const LENGTHS = ['length', 'size', 'count'];

function listIsThere(length: number, piece: string, before: string): string {
  if (LENGTHS.includes(piece)) return `${before} is a list of ${length}: \`len(${before})\` counts its elements.`;
  const last = piece === '-1' && length > 0 ? `; the last is [${length - 1}] here` : '';
  return `${before} is a list of ${length}; its elements count from 0${last}.`;
}

/** The value that stands there as evidence, where it is a text, a number or a truth: what it holds is its end. */
export function scalarOf({ there }: Missing): { readonly actual?: string | number | boolean } {
  const value = there?.value;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? { actual: value } : {};
}

/** A sentence about an answer over HTTP whose body is no JSON: what it is instead. */
function withoutJson(owner: unknown): string | undefined {
  if (typeof owner !== 'object' || owner === null || !('status_code' in owner) || !('headers' in owner))
    return undefined;
  const headers = new Map(Object.entries(owner.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const status = Number(owner.status_code);
  if (status > 300 && status < 309 && headers.has('location'))
    return 'The answer leads to another address; `allow_redirects: true` follows it.';
  if ('text' in owner && owner.text === '') return 'The answer has no body.';
  const type: unknown = headers.get('content-type');
  const said = typeof type === 'string' && type !== '' ? type : 'of no known type';
  if (/\bjson\b/i.test(said)) return `The answer says ${said}, but its body is not valid JSON.`;
  const text = 'text' in owner && typeof owner.text === 'string' ? owner.text.trim() : '';
  const isLike = (text.startsWith('{') && text.endsWith('}')) || (text.startsWith('[') && text.endsWith(']'));
  const advice = isLike ? ' Its text may be JSON all the same: `{{last_response.text:json}}` reads it.' : '';
  return `The answer is ${said}, not JSON.${advice}`;
}

/** The name that differs in the case of letters, or in up to two of them. */
function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const sameLetters = names.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (sameLetters !== undefined || wanted.length > LONGEST_NAME) return sameLetters;
  const most = Math.min(2, Math.floor(wanted.length / 3));
  const distances = names
    .slice(0, 200)
    .filter((name) => Math.abs(name.length - wanted.length) <= most)
    .map((name) => ({ name, distance: distanceOf(name, wanted) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [first] = distances;
  return first && first.distance <= most ? first.name : undefined;
}

/** Edit distance: letters to put in, take out or change. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to++)
      next.push(
        Math.min((row[to] ?? 0) + (one[at] === other[to] ? 0 : 1), (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
