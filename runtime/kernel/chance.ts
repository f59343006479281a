import type { Chance } from './ports.ts';

/**
 * Chance that a seed decides: the same seed and the same key give the same values, on every machine. A key names a
 * step's turn, so that values do not depend on what else runs meanwhile. `seededBy` is told the seed of what is drawn.
 * Not for secrets.
 */
export function chanceOf(seed: number, key: string, seededBy: Chance['seededBy'] = () => {}): Chance {
  const draw = generator(stateOf(`${seed} ${key}`));
  const next = (): number => {
    seededBy(seed);
    return draw();
  };
  return {
    seededBy,
    number: () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 2 ** 53,
    uuid: () => {
      const digits = Array.from({ length: 4 }, () => (next() >>> 0).toString(16).padStart(8, '0')).join('');
      const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
      return `${digits.slice(0, 12)}4${digits.slice(13, 16)}${variant}${digits.slice(17)}`;
    },
  };
}

type State = [number, number, number, number];

/** Xoshiro128**: 32 bits a call. */
function generator(state: State): () => number {
  return () => {
    const [a, b, c, d] = state;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9);
    const third = c ^ a;
    const fourth = d ^ b;
    state[1] = b ^ third;
    state[0] = a ^ fourth;
    state[2] = third ^ (b << 9);
    state[3] = rotated(fourth, 11);
    return result;
  };
}

function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

/** Four words of a text, each mixed by its own constants. */
function stateOf(text: string): State {
  const words: State = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667];
  for (let at = 0; at < text.length; at++)
    for (let word = 0; word < 4; word++)
      words[word] = Math.imul((words[word] ?? 0) ^ (text.charCodeAt(at) + word * 0x10001), 0x01000193 + word * 0x2f0);
  return words.map(mixed) as State;
}

function mixed(word: number): number {
  let value = word ^ (word >>> 16);
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  // All zeros would stay zeros.
  return (value ^ (value >>> 16)) | 1;
}
