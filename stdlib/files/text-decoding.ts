import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Files } from '#schemas/types/host.ts';

import { readingOf, type Reading } from './charset.ts';
import type { Decoder } from './decoder.ts';
import { plainName, type OnBad } from './text-encoding.ts';
import { openUtf32 } from './utf32.ts';

export interface ReadPlace {
  readonly files: Files;
  readonly signal: AbortSignal;
}

export interface ReadOptions {
  readonly encoding: string;
  readonly onBad?: OnBad;
  /** What is thrown, with `strict`, for a byte that does not fit. */
  readonly refuse?: (facts: { readonly path: string; readonly encoding: string; readonly offset: number }) => Failure;
}

const CHUNK = 1 << 20;

/**
 * The text of a file in pieces, without its byte-order mark. Pieces never part the two halves of a character. Fails for an
 * encoding that is not known before the file is touched.
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
  const { encoding, onBad = 'strict', refuse = fail.textNotDecodable } = options;
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

function hasMark(reading: Reading): boolean {
  return typeof reading === 'string' ? reading.startsWith('utf') : reading.label.startsWith('utf');
}

export function openDecoder(reading: Reading, fatal: boolean): Decoder {
  switch (reading) {
    case 'ascii':
      return { decode: (bytes) => decodeAscii(bytes, fatal), end: () => '' };
    case 'latin1':
      return { decode: latin1, end: () => '' };
    case 'utf-16':
      return byMark(fatal);
    case 'utf-32le':
    case 'utf-32be':
      return openUtf32(reading === 'utf-32le', fatal);
    default:
      return platform(reading.label, fatal);
  }
}

function platform(label: string, fatal: boolean): Decoder {
  const decoder = new TextDecoder(label, { fatal, ignoreBOM: true });
  // Control characters stand in the gaps of Windows' tables for the web alone.
  const isWindows = label.startsWith('windows-');
  const gaps = (text: string): string => {
    if (!isWindows || !/[\u0080-\u009f]/.test(text)) return text;
    if (fatal) throw new TypeError(label);
    return text.replace(/[\u0080-\u009f]/g, '\ufffd');
  };
  return { decode: (bytes) => gaps(decoder.decode(bytes, { stream: true })), end: () => decoder.decode() };
}

/** UTF-16 in the order that its mark tells. */
function byMark(fatal: boolean): Decoder {
  let chosen: Decoder | undefined;
  let first: number | undefined;
  return {
    decode: (bytes) => {
      if (chosen !== undefined) return chosen.decode(bytes);
      const start = first === undefined ? bytes : Uint8Array.of(first, ...bytes);
      first = start[0];
      if (start.length < 2) return '';
      chosen = platform(start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-16le', fatal);
      return chosen.decode(start);
    },
    end: () => {
      if (chosen !== undefined) return chosen.end();
      const rest = platform('utf-16le', fatal);
      return first === undefined ? '' : rest.decode(Uint8Array.of(first)) + rest.end();
    },
  };
}

function decodeAscii(bytes: Uint8Array, fatal: boolean): string {
  const text = latin1(bytes);
  if (!/[\u0080-\u00ff]/.test(text)) return text;
  if (fatal) throw new TypeError('ascii');
  return text.replace(/[\u0080-\u00ff]/g, '\ufffd');
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
