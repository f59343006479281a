import type { Decoder } from './decoder.ts';
import type { Reading } from './reading.ts';
import { openUtf32 } from './utf32.ts';

/** Whether a text of this kind may begin with a byte-order mark. */
export function hasMark(reading: Reading): boolean {
  return typeof reading === 'string' ? reading.startsWith('utf') : reading.label.startsWith('utf');
}

/** Decodes bytes piece by piece; where `fatal`, bytes that do not fit throw a TypeError. */
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
