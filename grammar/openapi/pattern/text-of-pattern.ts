import { readPattern } from './read-pattern.ts';
import type { Pattern } from './read-pattern.ts';

/** More than the least number of repeats is never needed; an open end gets this many more at most. */
const MORE = 2;
/** Repeats that a text is made of at most. */
const MOST_REPEATS = 10_000;

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/**
 * A text that a regular expression matches, with the choices that `chance` (from 0 to below 1) makes; undefined
 * for what is not understood: looks ahead and behind, references back to a group. The text still has to be tried
 * against the expression.
 */
export function textOfPattern(pattern: string, chance: () => number): string | undefined {
  const tree = readPattern(pattern, 'u') ?? readPattern(pattern, '');
  const text = { pieces: [], chance, repeats: 0 };
  return tree && write(tree, text) ? text.pieces.join('') : undefined;
}

interface Text {
  readonly pieces: string[];
  readonly chance: () => number;
  repeats: number;
}

/** Writes a text for a tree; false: there is none. */
function write(tree: Pattern, text: Text): boolean {
  switch (tree.kind) {
    case 'sign': {
      const sign = one(signsOf(tree), text.chance);
      if (sign !== undefined) text.pieces.push(sign);
      return sign !== undefined;
    }
    case 'place':
      return true;
    case 'ahead':
      return false;
    case 'sequence':
      return tree.parts.every((part) => write(part, text));
    case 'choice': {
      const part = one(tree.parts, text.chance);
      return part !== undefined && write(part, text);
    }
    case 'repeat': {
      const { body, least, most } = tree;
      const count = least + Math.floor(text.chance() * (Math.min(most, least + MORE) - least + 1));
      text.repeats += count;
      return text.repeats <= MOST_REPEATS && Array.from({ length: count }).every(() => write(body, text));
    }
  }
}

/** Signs that one place may have: letters where it takes nearly all, else what can be printed, else what it names. */
function signsOf({ source, fits }: Extract<Pattern, { kind: 'sign' }>): readonly string[] {
  const isWide = /^(?:\.|\\[DSPp]|\[\^)/.test(source);
  const usual = (isWide ? letters : printable).filter(fits);
  if (usual.length > 0) return usual;
  const named = source.replace(/\\u\{?([\da-f]{4,6})\}?|\\x([\da-f]{2})/gi, (_, code: string, short: string) =>
    String.fromCodePoint(Number.parseInt(code ?? short, 16)),
  );
  return [...new Set([...printable, ...'\t\n\r\f\v', ...named])].filter(fits);
}

function one<Item>(list: readonly Item[], chance: () => number): Item | undefined {
  return list[Math.floor(chance() * list.length)];
}
