import type { Span } from '#schemas/types/place.ts';

/** Characters that are always unescaped: escapes are made of them, addresses, base64, and most secrets. */
const always = /[A-Za-z0-9\\%&#;:/@]/;

/** Characters by the sign after a backslash, or between `&` and `;`, that stands for them. */
const backslashed: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
};
/** Signs before which expressions, Markdown and shells write a backslash; those above have a line of their own. */
const signs = '!#$%&()*+,-.:;<=>?@[]^`{|}~_';
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A difference between an unescaped text and the text that it was made from: places and lengths in both. */
interface Edit {
  readonly from: number;
  readonly length: number;
  readonly to: number;
  readonly plain: number;
}

/** A text with one layer of escapes taken away. */
export interface Unescaped {
  readonly text: string;
  readonly edits: readonly Edit[];
}

/**
 * Takes one layer of escapes away, of whatever kinds, also mixed: percent-encoding (UTF-8, and `%uXXXX`), escapes of
 * JSON and of programming languages, references of pages; and breaks between lines of base64. Escapes of characters
 * that are not wanted stay: in an ordinary text these are all.
 */
export class Unescaper {
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #escapes: RegExp;

  /** Unescapes only the characters in `wanted` and those of `always`; left out: every escape. */
  constructor(wanted?: ReadonlySet<string>) {
    this.#wanted = wanted;
    const wants = (character: string): boolean => !wanted || always.test(character) || wanted.has(character);
    this.#escapes = escapesOf(wants);
  }

  /** Undefined where nothing changes. */
  unescape(text: string): Unescaped | undefined {
    if (!mayHoldEscapes(text)) return undefined;
    const edits: Edit[] = [];
    let gone = 0;
    const unescaped = text.replace(this.#escapes, (escape: string, lineEnd: string | undefined, from: number) => {
      const plain = lineEnd === undefined ? meaning(escape) : '';
      if (plain === undefined || (plain !== '' && !this.#wants(plain))) return escape;
      edits.push({ from, length: escape.length, to: from - gone, plain: plain.length });
      gone += escape.length - plain.length;
      return plain;
    });
    return edits.length === 0 ? undefined : { text: unescaped, edits };
  }

  #wants(character: string): boolean {
    return this.#wanted === undefined || always.test(character) || this.#wanted.has(character);
  }
}

/** Whether a text holds a character with which escapes begin, or a line break. */
export function mayHoldEscapes(text: string): boolean {
  return text.includes('%') || text.includes('\\') || text.includes('&') || text.includes('\n');
}

/** An expression for the escapes of wanted characters. Its pieces are made here: programs without secrets have none. */
function escapesOf(wants: (character: string) => boolean): RegExp {
  const letters = Object.entries(backslashed).flatMap(([letter, character]) =>
    wants(character) ? [letter.replace(/\W/, '\\$&')] : [],
  );
  for (const sign of signs) if (wants(sign)) letters.push(`\\${sign}`);
  const names = Object.entries(named).flatMap(([name, character]) => (wants(character) ? [name] : []));
  const hex = '[0-9a-fA-F]';
  const more = `%[89abAB]${hex}`;
  // Percent-encoding of one character beyond ASCII, and as it was done once.
  const wide = `[c-dC-D]${hex}${more}|[eE]${hex}(?:${more}){2}|[fF][0-4](?:${more}){3}|u${hex}{4}`;
  // A line break, as it is or escaped, behind a line of base64 as long as encoders make them (64 or 76 characters).
  const breakText = String.raw`(?:\r|\\{1,4}r|%0[Dd]|&#13;|&#x[Dd];)?(?:\n|\\{1,4}n|%0[Aa]|&#10;|&#x[Aa];)`;
  const lineBreak = `${breakText}(?<=[A-Za-z0-9+/_=-]{60}${breakText})`;
  const backslash = String.raw`\\(?:u${hex}{4}|u\{${hex}{1,6}\}|x${hex}{2}|[${letters.join('')}])`;
  const reference = `&(?:#[0-9]{1,7}|#[xX]${hex}{1,6}|${names.join('|')});`;
  return new RegExp(`(${lineBreak})|%(?:${wide}|${octets(wants)})|${backslash}|${reference}`, 'g');
}

/** An expression for the two digits of each wanted character of ASCII. */
function octets(wants: (character: string) => boolean): string {
  return Array.from({ length: 8 }, (_, high) => {
    const low = Array.from({ length: 16 }, (__, digit) => digit).filter((digit) =>
      wants(String.fromCharCode(high * 16 + digit)),
    );
    return low.length === 0
      ? []
      : [
          `${high}[${low
            .map((digit) => digit.toString(16))
            .map((digit) => `${digit}${digit.toUpperCase()}`)
            .join('')}]`,
        ];
  })
    .flat()
    .join('|');
}

/** The span of the original text that a span of the unescaped text was made from. */
export function spanBefore({ edits }: Unescaped, { start, end }: Span): Span {
  return { start: placeBefore(edits, start, false), end: placeBefore(edits, end - 1, true) };
}

/** The beginning, or the end, of what became the character at `at`. */
function placeBefore(edits: readonly Edit[], at: number, isEnd: boolean): number {
  const edit = lastUpTo(edits, at);
  if (!edit) return isEnd ? at + 1 : at;
  const behind = at - edit.to - edit.plain;
  if (behind < 0) return isEnd ? edit.from + edit.length : edit.from;
  return edit.from + edit.length + behind + (isEnd ? 1 : 0);
}

function lastUpTo(edits: readonly Edit[], at: number): Edit | undefined {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edits[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return edits[low - 1];
}

/** The character that an escape stands for; undefined where it stands for none. */
function meaning(escape: string): string | undefined {
  const [first, second] = escape;
  if (first === '\\')
    return second === 'u' || second === 'x'
      ? ofCode(parseInt(escape.slice(2).replace('{', ''), 16))
      : (backslashed[second ?? ''] ?? second);
  if (first === '&') return second === '#' ? ofCode(numberOf(escape.slice(2, -1))) : named[escape.slice(1, -1)];
  if (second === 'u') return ofCode(parseInt(escape.slice(2), 16));
  if (escape.length === 3) return ofCode(parseInt(escape.slice(1), 16));
  try {
    return decodeURIComponent(escape);
  } catch {
    return undefined;
  }
}

function numberOf(digits: string): number {
  return /^x/i.test(digits) ? parseInt(digits.slice(1), 16) : parseInt(digits, 10);
}

function ofCode(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
