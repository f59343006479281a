import { hasMark, openDecoder } from '#grammar/encoding/open-decoder.ts';
import { plainName, readingOf } from '#grammar/encoding/reading.ts';

/**
 * Text of a stream of bytes, in the encodings of commands that read text; a byte-order mark is left out, and bytes that
 * do not fit the encoding are an error.
 */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<string> {
  const reading = readingOf(plainName(encoding));
  if (reading === undefined) throw new Error(`there is no encoding "${encoding}".`);
  const decoder = openDecoder(reading, true);
  let isFirst = hasMark(reading);
  const unmarked = (text: string): string => {
    const own = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
    isFirst &&= text === '';
    return own;
  };
  try {
    for await (const chunk of bytes) yield unmarked(decoder.decode(chunk));
    yield unmarked(decoder.end());
  } catch (cause) {
    if (cause instanceof TypeError) throw new Error(`its bytes are not ${encoding}.`, { cause });
    throw cause;
  }
}

/** Lines without their ends. */
export async function* lines(text: AsyncIterable<string>): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of text) {
    const pieces = (rest + chunk).split('\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) yield piece.endsWith('\r') ? piece.slice(0, -1) : piece;
  }
  if (rest !== '') yield rest;
}
