const escaped = /[\udc80-\udcff]/u;

/**
 * The text of a name that stands as bytes on a disk or in an archive; each byte that does not fit UTF-8 stands as
 * U+DC00 + byte.
 */
export function textOfName(name: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(name);
  if (!text.includes('\ufffd')) return text;
  let result = '';
  for (let at = 0; at < name.length;) {
    const length = sequenceLength(name, at);
    result +=
      length === 0
        ? String.fromCharCode(0xdc00 + (name[at] ?? 0))
        : new TextDecoder('utf-8', { ignoreBOM: true }).decode(name.subarray(at, at + length));
    at += length || 1;
  }
  return result;
}

/** The bytes of such a text. */
export function bytesOfName(text: string): Uint8Array {
  const encoder = new TextEncoder();
  if (!escaped.test(text)) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/** Whether some bytes of the name are no UTF-8. */
export function hasRawBytes(text: string): boolean {
  return escaped.test(text);
}

/** Length of the well-formed UTF-8 sequence that begins at `at`; 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80
      ? 1
      : first >= 0xc2 && first < 0xe0
        ? 2
        : first >= 0xe0 && first < 0xf0
          ? 3
          : first >= 0xf0 && first < 0xf5
            ? 4
            : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}
