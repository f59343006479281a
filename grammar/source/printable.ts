/**
 * Text that a terminal shows and does not obey: control characters but line breaks and tabs become visible ones (`␛`),
 * marks that turn the direction of text become U+FFFD.
 */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not reach a terminal
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g,
    visible,
  );
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? '␡' : '\ufffd';
}

/** The same on one line: breaks and tabs become visible too, so that no line can be forged. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, (character) => (character === '\n' ? '␊' : ' '));
}

/** The same with every further line set off by `margin`, so that it cannot pass for one of ours. */
export function printableBlock(text: string, margin: string): string {
  return printable(text.trimEnd()).replaceAll('\n', `\n${margin}`);
}
