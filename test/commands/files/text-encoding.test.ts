import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';

import { Failure } from '#schemas/types/failure.ts';
import { encodeText, openEncoder } from '#stdlib/files/text-encoding.ts';

const single = [
  'cp1250',
  'cp1251',
  'cp1252',
  'cp1253',
  'cp1254',
  'cp1255',
  'cp1256',
  'cp1257',
  'cp1258',
  'cp866',
  'cp874',
  'koi8-r',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-15',
  'iso-8859-16',
];

/** Hex of one character in an encoding; undefined where it has none. */
function hex(character: string, encoding: string): string | undefined {
  try {
    return Buffer.from(encodeText(character, encoding)).toString('hex');
  } catch (error) {
    if (error instanceof Failure && error.facts.code === 'SVC85027') return undefined;
    throw error;
  }
}

/** The same of the package that knows all encodings; it writes what it lacks as a question mark or a black one. */
function oracle(character: string, encoding: string): string | undefined {
  const bytes = iconv.encode(character, encoding);
  return iconv.decode(bytes, encoding) === character ? bytes.toString('hex') : undefined;
}

describe('encodings of one byte', () => {
  it.each(single)('%s agrees with iconv-lite', (encoding) => {
    const bytes = Array.from({ length: 0x80 }, (_, index) => Buffer.from([0x80 + index]));
    const known = bytes
      .map((byte) => [iconv.decode(byte, encoding), byte.toString('hex')] as const)
      .filter(([character]) => character >= '\u00a0' && character !== '\ufffd');
    expect(known.map(([character]) => [character, hex(character, encoding)])).toEqual(known);
    expect([hex('\u4e00', encoding), hex('\u{1f600}', encoding)]).toEqual([undefined, undefined]);
  });
});

it.each(['utf-16-le', 'utf-16-be', 'utf-32-le', 'utf-32-be'])(
  '%s agrees with iconv-lite, also above 65,535',
  (name) => {
    const text = 'a\u{1f600}é\u{10ffff}\uffff';
    expect(hex(text, name)).toBe(iconv.encode(text, name.replaceAll('-', '')).toString('hex'));
  },
);

it.each(['utf-16-le', 'utf-16-be'])(
  '%s stands in for half a character, and leaves whole ones beside it as they are',
  (name) => {
    const encoder = openEncoder(name, 'replace');
    const bytes = Buffer.concat([encoder.encode('a\u{1f600}é\ud83d'), encoder.encode('\uffff\u{10ffff}')]);
    expect(bytes.toString('hex')).toBe(
      iconv.encode('a\u{1f600}é?\uffff\u{10ffff}', name.replaceAll('-', '')).toString('hex'),
    );
  },
);

describe('encodings of several bytes', () => {
  // The web's encoders leave out the supplement of Big5, which the package writes, and one character stands there twice.
  it.each([
    ['gbk', 20_902],
    ['big5', 13_000],
    ['shift_jis', 6_300],
    ['euc-jp', 12_000],
    ['euc-kr', 4_600],
  ])('%s writes at least %i ideographs, as iconv-lite does, and reads back what it wrote', (encoding, least) => {
    const decoder = new TextDecoder(encoding);
    const ideographs = Array.from({ length: 0x9fa5 - 0x4e00 + 1 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    const known = ideographs.flatMap((character) => {
      const theirs = oracle(character, encoding);
      const ours = theirs === undefined ? undefined : hex(character, encoding);
      return ours === undefined ? [] : [{ character, ours, theirs }];
    });
    expect(known.length).toBeGreaterThanOrEqual(least);
    expect(known.filter(({ ours, theirs }) => ours !== theirs).map(({ character }) => character)).toEqual(
      encoding === 'big5' ? ['仝'] : [],
    );
    expect(known.filter(({ character, ours }) => decoder.decode(Buffer.from(ours, 'hex')) !== character)).toEqual([]);
  });

  it('gb18030 writes every character there is', () => {
    const decoder = new TextDecoder('gb18030');
    for (let point = 0x80; point < 0x110000; point += 257) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      expect(decoder.decode(encodeText(character, 'gb18030') as Uint8Array)).toBe(character);
    }
  });
});

it.each(['utf-16-le', 'utf-16-be', 'utf-32-le', 'utf-32-be'])('%s agrees with iconv-lite', (encoding) => {
  const text = 'aä€😀\u0000';
  expect(Buffer.from(encodeText(text, encoding)).toString('hex')).toBe(
    iconv.encode(text, encoding.replace(/(\d)-/, '$1')).toString('hex'),
  );
});

it('leaves UTF-8 to the one who writes', () => {
  expect(encodeText('a€😀', 'UTF8')).toBe('a€😀');
});

it('says which character has no bytes, and where, counted in characters', () => {
  expect(() => encodeText('😀b\u20ac', 'latin-1')).toThrow(
    'The character "😀" (U+1F600) at place 0 cannot be written in latin-1.',
  );
  expect(() => encodeText('ab€', 'latin-1')).toThrow(
    'The character "€" (U+20AC) at place 2 cannot be written in latin-1.',
  );
});

it.each(['', 'utf-7', 'cp437', 'base64', '__proto__', 'constructor'])(
  '%j is no encoding that can be written',
  (name) => {
    expect(() => encodeText('a', name)).toThrow(`There is no text encoding "${name}" that can be written.`);
  },
);
