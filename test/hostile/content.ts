/** Content of a file of a case: text, bytes, or pieces that repeat, so that a case of megabytes is one line. */
export type Content =
  | string
  | readonly Content[]
  | { readonly times: number; readonly of: Content }
  | { readonly each: number; readonly of: string }
  | { readonly hex: string };

/**
 * Bytes of a content. In `each`, `<i>` stands for the number of the piece from 0, `<i+1>` for the next one, `<indent>`
 * for so many blanks.
 */
export function bytesOf(content: Content): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  if (Array.isArray(content)) return Buffer.concat((content as readonly Content[]).map(bytesOf));
  if ('hex' in content) return Buffer.from(content.hex.replaceAll(' ', ''), 'hex');
  if ('times' in content) {
    const piece = bytesOf(content.of);
    return Buffer.alloc(piece.length * content.times, piece);
  }
  const { each, of } = content as { readonly each: number; readonly of: string };
  return Buffer.from(
    Array.from({ length: each }, (_one, index) =>
      of
        .replaceAll('<i>', String(index))
        .replaceAll('<i+1>', String(index + 1))
        .replaceAll('<indent>', ' '.repeat(index)),
    ).join(''),
  );
}
