/** A matching rule of contract files of version 2. */
export interface MatchingRule {
  readonly match?: string;
  readonly regex?: string;
  readonly min?: number;
  readonly max?: number;
}

/** One piece of a path: a name or index, or anything in its place. */
export type Token = string | { readonly any: true };

/** Pieces that lead to a value; a piece with several names goes by any of them. */
export type Place = readonly (string | readonly string[])[];

/** The rules of one request or answer, read once. */
export class MatchingRules {
  readonly #rules: readonly { readonly tokens: readonly Token[]; readonly rule: MatchingRule }[];

  constructor(rules: Readonly<Record<string, MatchingRule>> = {}) {
    this.#rules = Object.entries(rules).flatMap(([path, rule]) => {
      const tokens = readRulePath(path);
      return tokens ? [{ tokens, rule }] : [];
    });
  }

  /**
   * The rule for a place: one covers its own path and all below it. Equal pieces weigh 2, wildcards 1, and the weights
   * of a path are multiplied; the heaviest wins, of equal ones the longest.
   */
  find(place: Place): MatchingRule | undefined {
    let best: { readonly weight: number; readonly length: number; readonly rule: MatchingRule } | undefined;
    for (const { tokens, rule } of this.#rules) {
      const weight = weightOf(tokens, place);
      if (weight === 0) continue;
      if (!best || weight > best.weight || (weight === best.weight && tokens.length > best.length))
        best = { weight, length: tokens.length, rule };
    }
    return best?.rule;
  }

  /** Whether a rule speaks of any element of the list at a place: its length is free then. */
  hasElementRule(place: Place): boolean {
    return this.#rules.some(
      ({ tokens }) =>
        tokens.length === place.length + 1 &&
        typeof tokens.at(-1) === 'object' &&
        weightOf(tokens.slice(0, -1), place) > 0,
    );
  }
}

function weightOf(tokens: readonly Token[], place: Place): number {
  if (tokens.length > place.length) return 0;
  let weight = 1;
  for (const [index, token] of tokens.entries()) {
    if (typeof token === 'object') continue;
    const piece = place[index];
    if (typeof piece === 'object' ? !piece.includes(token) : token !== piece) return 0;
    weight *= 2;
  }
  return weight;
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
