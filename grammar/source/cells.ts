/** Width of a text in cells of a terminal: combining marks take none, East Asian wide characters and emoji two. */
export function cellWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The graphemes of a text with the cells that each takes. */
export function cells(text: string): readonly { readonly text: string; readonly width: number }[] {
  if (isPlain(text)) return Array.from(text, (character) => ({ text: character, width: 1 }));
  return Array.from(graphemes().segment(text), ({ segment }) => ({ text: segment, width: graphemeWidth(segment) }));
}

/** Printable ASCII needs no segmenter, which is slow to make. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function graphemes(): Intl.Segmenter {
  return new Intl.Segmenter('en', { granularity: 'grapheme' });
}

function graphemeWidth(grapheme: string): number {
  if (/^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Mark}\p{Surrogate}]+$/u.test(grapheme)) return 0;
  if (/\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u.test(grapheme)) return 2;
  return isWide(grapheme.codePointAt(0) ?? 0) ? 2 : 1;
}

/** East Asian wide and fullwidth blocks (UAX #11), first and last code point of each. */
const WIDE = [
  0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0x3247, 0x3250, 0x4dbf, 0x4e00, 0xa4c6, 0xa960, 0xa97c, 0xac00, 0xd7a3,
  0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18aff, 0x1aff0, 0x1b2fb,
  0x1f200, 0x1f265, 0x20000, 0x3fffd,
];

function isWide(codePoint: number): boolean {
  if (codePoint < 0x1100) return false;
  for (let at = 0; at < WIDE.length; at += 2) {
    if (codePoint < (WIDE[at] ?? 0)) return false;
    if (codePoint <= (WIDE[at + 1] ?? 0)) return true;
  }
  return false;
}
