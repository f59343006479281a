const escaped = /[\udc80-\udcff]/u;

/** A path as Node takes it. Bytes that are not UTF-8 stand in the text as U+DC00 + byte; such a path becomes bytes again. */
export function toNative(path: string): string | Buffer {
  if (!escaped.test(path) || process.platform === 'win32') return path;
  const pieces: Buffer[] = [];
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0;
    pieces.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character));
  }
  return Buffer.concat(pieces);
}

/** The text of a name that the system gave as bytes; each byte that does not fit UTF-8 stands as U+DC00 + byte. */
export function fromNative(name: Buffer): string {
  const text = name.toString('utf8');
  if (!text.includes('\ufffd') || Buffer.from(text).equals(name)) return text;
  let result = '';
  for (let at = 0; at < name.length; ) {
    const length = sequenceLength(name, at);
    if (length === 0) result += String.fromCharCode(0xdc00 + (name[at] ?? 0));
    else result += name.toString('utf8', at, at + length);
    at += length || 1;
  }
  return result;
}

/** Length of the well-formed UTF-8 sequence that begins at `at`; 0 where none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const piece = bytes.subarray(at, at + length);
  return Buffer.from(piece.toString('utf8')).equals(piece) ? length : 0;
}
