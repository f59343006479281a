/** Shortest text that can be told to be random. */
const SHORTEST = 16;
/** Different characters that a random text has at least. */
const DIFFERENT = 10;

/**
 * Whether a text looks as if a machine had drawn it: long, of many different characters, and without words. Hex needs
 * 32 characters, since shorter hex is a hash of a commit as often as not.
 */
export function looksRandom(text: string): boolean {
  if (text.length < SHORTEST || !/^[\w+/=.~!@#$%^&*-]+$/.test(text)) return false;
  if (new Set(text).size < DIFFERENT) return false;
  if (/^[0-9a-f]+$/i.test(text)) return text.length >= 32 && /\d/.test(text) && /[a-f]/i.test(text);
  return wordLetters(text) < text.length * 0.55 && changes(text) >= (text.length - 1) * 0.25;
}

/** Number of times that the kind of character (lower, upper, digit, other) changes from one to the next. */
function changes(text: string): number {
  let count = 0;
  let before = '';
  for (const letter of text) {
    const kind = kindOf(letter);
    if (before !== '' && kind !== before) count += 1;
    before = kind;
  }
  return count;
}

function kindOf(letter: string): string {
  if (letter >= 'a' && letter <= 'z') return 'lower';
  if (letter >= 'A' && letter <= 'Z') return 'upper';
  return letter >= '0' && letter <= '9' ? 'digit' : 'other';
}

/** Letters that stand in words: runs of letters, also in camel case, that people could say. */
function wordLetters(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(/[A-Z]?[a-z]{3,}|[A-Z]{4,}/g))
    if (isSayable(run.toLowerCase())) count += run.length;
  return count;
}

/**
 * Whether a run of letters can be said: at most three consonants and at most two vowels in a row, and one of
 * both at least.
 */
function isSayable(run: string): boolean {
  return /[aeiouy]/.test(run) && !/[^aeiouy]{4,}|[aeiouy]{4,}|q[^u]|[^aeiouy][jqvwxz]{2}/.test(run);
}
