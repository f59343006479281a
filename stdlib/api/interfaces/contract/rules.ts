import type { Json } from '#schemas/types/json.ts';

/** A matching rule of contract files, in the form of version 2; later ones know more kinds of matching. */
export interface MatchingRule {
  /** `all` and `any`: the rules inside hold, or one of them does. */
  readonly match?: string;
  readonly regex?: string;
  readonly min?: number;
  readonly max?: number;
  /** Form of a date, with the letters of Java. */
  readonly format?: string;
  /** Text that must be part of the value. */
  readonly value?: Json;
  /** Status of an answer: a class such as `success`, or the numbers. */
  readonly status?: string | readonly number[];
  readonly rules?: readonly MatchingRule[];
  /** Examples, by their place, of which each must be among the elements. */
  readonly variants?: readonly { readonly index: number; readonly rules: Readonly<Record<string, MatchingRule>> }[];
}

/** One piece of a path: a name or index, or anything in its place. */
export type Token = string | { readonly any: true };

/** An element among others: it goes by its name, by its number, and by its name and its number among its namesakes. */
export interface ElementPiece {
  readonly name: string;
  readonly index: string;
  readonly nth: string;
}

/** Pieces that lead to a value. */
export type Place = readonly (string | ElementPiece)[];

/** The rules of one request or answer, read once. */
export class MatchingRules {
  readonly #rules: readonly ReadRule[];

  constructor(rules: Readonly<Record<string, MatchingRule>> = {}) {
    this.#rules = Object.entries(rules).flatMap(([path, rule]) => {
      const tokens = readRulePath(path);
      return tokens ? [{ tokens: withHeaderName(tokens), rule }] : [];
    });
  }

  /**
   * The rule for a place: one covers its own path and all below it. Equal pieces weigh 2, wildcards 1, and the weights
   * of a path are multiplied; the heaviest wins, of equal ones the longest.
   */
  find(place: Place): MatchingRule | undefined {
    return heaviest(this.#rules, place);
  }

  /** Whether a rule speaks of any element of the list at a place: its length is free then. */
  hasElementRule(place: Place): boolean {
    return this.#rules.some(({ tokens }) => typeof tokens.at(-1) === 'object' && isExact(tokens.slice(0, -1), place));
  }

  /**
   * The rule that speaks of the value at a place itself, not of one around it. Only such a rule bounds how many
   * elements a list has: `min` and `max` do not reach the lists inside.
   */
  own(place: Place): MatchingRule | undefined {
    return heaviest(
      this.#rules.filter(({ tokens }) => isExact(tokens, place)),
      place,
    );
  }
}

interface ReadRule {
  readonly tokens: readonly Token[];
  readonly rule: MatchingRule;
}

function heaviest(rules: readonly ReadRule[], place: Place): MatchingRule | undefined {
  let best: { readonly weight: number; readonly length: number; readonly rule: MatchingRule } | undefined;
  for (const { tokens, rule } of rules) {
    const weight = weightOf(tokens, place);
    if (weight === 0) continue;
    if (!best || weight > best.weight || (weight === best.weight && tokens.length > best.length))
      best = { weight, length: tokens.length, rule };
  }
  return best?.rule;
}

/** Names of headers are the same in any case: rules hold them in small letters. */
function withHeaderName(tokens: readonly Token[]): readonly Token[] {
  const [part, name, ...rest] = tokens;
  const isHeader = (part === 'headers' || part === 'header') && typeof name === 'string';
  return isHeader ? [part, name.toLowerCase(), ...rest] : tokens;
}

/** The weight of a path for a place; 0 where it leads elsewhere. An element takes two pieces where they fit. */
function weightOf(tokens: readonly Token[], place: Place): number {
  const [token, ...others] = tokens;
  if (token === undefined) return 1;
  const [piece, ...rest] = place;
  if (piece === undefined) return 0;
  if (typeof piece === 'string') return equalPiece(token, piece) * weightOf(others, rest);
  const [one, two] = piecesOf(piece, token, others[0]);
  return Math.max(one * weightOf(others, rest), two * weightOf(others.slice(1), rest));
}

/** Whether a path leads to a place and not to one around it. */
function isExact(tokens: readonly Token[], place: Place): boolean {
  const [token, ...others] = tokens;
  const [piece, ...rest] = place;
  if (token === undefined || piece === undefined) return token === undefined && piece === undefined;
  if (typeof piece === 'string') return equalPiece(token, piece) > 0 && isExact(others, rest);
  const [one, two] = piecesOf(piece, token, others[0]);
  return (one > 0 && isExact(others, rest)) || (two > 0 && isExact(others.slice(1), rest));
}

/** Weights of one piece of a path for an element, and of two: its name, then its number. */
function piecesOf({ name, index, nth }: ElementPiece, token: Token, next: Token | undefined): [number, number] {
  const one = Math.max(equalPiece(token, name), equalPiece(token, index));
  return [one, next === undefined || token !== name ? 0 : 2 * equalPiece(next, nth)];
}

/** Wildcards weigh 1, equal pieces 2. */
function equalPiece(token: Token, piece: string): number {
  if (typeof token === 'object') return 1;
  return token === piece ? 2 : 0;
}

/** The pieces of a path such as `$.body.items[*]['a key']`, without the `$`; undefined: it is no path. */
export function readRulePath(path: string): readonly Token[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const piece = /\.(\*|[^.[\]]+)|\[(?:(\*)|(\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;
  const tokens: Token[] = [];
  let at = 1;
  while (at < path.length) {
    piece.lastIndex = at;
    const [whole, name, star, index, single, double] = piece.exec(path) ?? [];
    if (whole === undefined) return undefined;
    const text = name ?? index ?? (single ?? double)?.replace(/\\(.)/gs, '$1');
    tokens.push(star !== undefined || name === '*' ? { any: true } : (text ?? ''));
    at += whole.length;
  }
  return tokens;
}

/** Reasons why a place has too few or too many elements or values for its rule. */
export function sizeMismatches(
  rule: MatchingRule | undefined,
  size: number,
  path: string,
  noun: 'elements' | 'values',
): readonly string[] {
  const found: string[] = [];
  if (rule?.min !== undefined && size < rule.min) found.push(`${path}: fewer than ${rule.min} ${noun} (${size})`);
  if (rule?.max !== undefined && size > rule.max) found.push(`${path}: more than ${rule.max} ${noun} (${size})`);
  return found;
}
