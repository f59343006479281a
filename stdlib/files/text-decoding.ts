import { hasMark, openDecoder } from '#grammar/encoding/open-decoder.ts';
import { plainName, readingOf, type Reading } from '#grammar/encoding/reading.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Files } from '#schemas/types/host.ts';

import type { OnBad } from './text-encoding.ts';

export interface ReadPlace {
  readonly files: Files;
  readonly signal: AbortSignal;
}

export interface ReadOptions {
  readonly encoding: string;
  readonly onBad?: OnBad;
  /** Makes the failure that is thrown, with `strict`, for a byte that does not fit. */
  readonly refuse: (facts: { readonly path: string; readonly encoding: string; readonly offset: number }) => Failure;
}

const CHUNK = 1 << 20;

/**
 * The text of a file in pieces, without its byte-order mark. Pieces never part the two halves of a character. Fails for
 * an encoding that is not known before the file is touched.
 */
export function textOf(place: ReadPlace, path: string, options: ReadOptions): AsyncGenerator<string, void> {
  const reading = readingNamed(options.encoding);
  return pieces(place, path, options, reading);
}

export function readingNamed(encoding: string): Reading {
  const reading = readingOf(plainName(encoding));
  if (reading === undefined) throw fail.unreadableEncoding({ name: encoding });
  return reading;
}

/** The whole text of a file that is known to be small. */
export async function wholeText(place: ReadPlace, path: string, options: ReadOptions): Promise<string> {
  let text = '';
  for await (const piece of textOf(place, path, options)) text += piece;
  return text;
}

async function* pieces(
  { files, signal }: ReadPlace,
  path: string,
  options: ReadOptions,
  reading: Reading,
): AsyncGenerator<string, void> {
  const { encoding, onBad = 'strict', refuse } = options;
  const decoder = openDecoder(reading, onBad === 'strict');
  let isFirst = true;
  const shown = (text: string): string => {
    const marked = isFirst && text.startsWith('\ufeff') && hasMark(reading) ? text.slice(1) : text;
    isFirst &&= text === '';
    return onBad === 'ignore' ? marked.replaceAll('\ufffd', '') : marked;
  };
  try {
    for await (const bytes of files.stream(path, { chunk: CHUNK, reuse: true, signal })) {
      const text = shown(decoder.decode(bytes));
      if (text !== '') yield text;
    }
    const rest = shown(decoder.end());
    if (rest !== '') yield rest;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw refuse({ path, encoding, offset: await firstBad({ files, signal }, path, reading) });
  }
}

/** The place of the first byte that does not fit: looked for only once it is known to be there. */
async function firstBad({ files, signal }: ReadPlace, path: string, reading: Reading): Promise<number> {
  const decoder = openDecoder(reading, true);
  let offset = 0;
  for await (const bytes of files.stream(path, { chunk: 4096, reuse: true, signal })) {
    for (let at = 0; at < bytes.length; at += 1, offset += 1) {
      try {
        decoder.decode(bytes.subarray(at, at + 1));
      } catch {
        return offset;
      }
    }
  }
  return offset;
}
