import { Readable } from 'node:stream';
import { constants, zstdCompressSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { unpack } from '#runtime/adapters/http/unpack.ts';
import { unpackStream } from '#runtime/adapters/http/unpack-stream.ts';
import { ZstdFrames } from '#runtime/adapters/http/zstd-frames.ts';

const words = Buffer.from('some words, others, and more of them. '.repeat(9_000));
const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index * 2_654_435_761) >>> 11));
const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
const { ZSTD_c_checksumFlag, ZSTD_c_contentSizeFlag } = constants;

const samples: readonly [about: string, packed: Buffer][] = [
  ['nothing', zstdCompressSync(Buffer.alloc(0))],
  ['a short text', zstdCompressSync(Buffer.from('a'))],
  ['one byte, many times', zstdCompressSync(Buffer.alloc(1_000_000))],
  ['several blocks', zstdCompressSync(words)],
  ['blocks that are stored', zstdCompressSync(noise)],
  ['a checksum', zstdCompressSync(words, { params: { [ZSTD_c_checksumFlag]: 1 } })],
  ['no length', zstdCompressSync(words, { params: { [ZSTD_c_contentSizeFlag]: 0 } })],
  ['several frames', Buffer.concat([zstdCompressSync(words), zstdCompressSync(noise)])],
  ['a frame to be skipped', Buffer.concat([skipped, zstdCompressSync(words)])],
];

function isWhole(pieces: readonly Uint8Array[]): boolean {
  const frames = new ZstdFrames();
  for (const piece of pieces) frames.take(piece);
  return frames.isWhole;
}

test.each(samples)('frames end where they end: %s', (_about, packed) => {
  expect(isWhole([packed])).toBe(true);
  expect(isWhole(Array.from(packed, (byte) => Uint8Array.of(byte)))).toBe(true);
  for (const cut of [1, 2, 3, 4, 5]) expect(isWhole([packed.subarray(0, -cut)]), `without ${cut} bytes`).toBe(false);
});

test.each(samples.slice(0, 7))(
  'what is cut short is no answer, whatever a decoder makes of it: %s',
  async (_, packed) => {
    const collect = async (bytes: Uint8Array): Promise<Buffer> => {
      const pieces: Uint8Array[] = [];
      const body = Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]);
      for await (const piece of unpackStream(body, 'zstd')) pieces.push(piece);
      return Buffer.concat(pieces);
    };
    expect(await collect(packed)).toEqual(Buffer.from(await unpack(packed, 'zstd', 10_000_000)));
    await expect(unpack(packed.subarray(0, -1), 'zstd', 10_000_000)).rejects.toMatchObject({ encoding: 'zstd' });
    await expect(collect(packed.subarray(0, -1))).rejects.toMatchObject({ encoding: 'zstd' });
  },
);
