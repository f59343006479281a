import { createTarPacker } from 'modern-tar';
import { describe, expect, it } from 'vitest';

import { HEADER_ROOM, plainHeader } from '#runtime/adapters/tar/plain-header.ts';
import type { TarSource } from '#runtime/adapters/tar/port.ts';
import { writeHeader } from '#runtime/adapters/tar/write-header.ts';

const bySource = async (source: TarSource): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeHeader(createTarPacker, source)) pieces.push(piece);
  return Buffer.concat(pieces);
};
const file: TarSource = { name: 'in/a.txt', kind: 'file', size: 5, mode: 0o644, modifiedMs: 1_600_000_001_000 };

const plain: Readonly<Record<string, Partial<TarSource>>> = {
  'a whole second': {},
  'a part of a second': { modifiedMs: 1_600_000_001_250.5 },
  'a part that is rounded up': { modifiedMs: 1_000.999_999_9 },
  'the first moment': { modifiedMs: 0 },
  'a part of the first second': { modifiedMs: 0.5 },
  'the last second': { modifiedMs: (8 ** 11 - 1) * 1000 },
  'a folder': { kind: 'folder', name: 'in', size: 4096, mode: 0o40755 },
  'the longest folder': { kind: 'folder', name: `in/${'n'.repeat(96)}` },
  'the longest name': { name: `in/${'n'.repeat(97)}`, modifiedMs: 1.5 },
  'the largest size': { size: 8 ** 11 - 1 },
  'no content': { size: 0, mode: 0 },
  'special bits': { mode: 0o107777 },
  'odd characters': { name: 'in/ ~"\\\'' },
};

describe('headers of tar', () => {
  it.each(Object.entries(plain))('of %s are those of the package', async (_, facts) => {
    const source = { ...file, ...facts };
    // As what was written before leaves it.
    const ours = plainHeader(source, new Uint8Array(HEADER_ROOM).fill(1));
    expect(ours && Buffer.from(ours).subarray(0, 512).toString('latin1')).toBe(
      (await bySource(source)).subarray(0, 512).toString('latin1'),
    );
    expect(ours && Buffer.from(ours).equals(await bySource(source))).toBe(true);
  });

  it.each<Partial<TarSource>>([
    { name: 'ü' },
    { name: 'n'.repeat(101) },
    { kind: 'folder', name: 'n'.repeat(100) },
    { size: 8 ** 11 },
    { modifiedMs: -1 },
    { modifiedMs: 8 ** 11 * 1000 },
    { kind: 'symlink', target: 'x' },
    { kind: 'hard-link', target: 'x' },
    { name: 'a\nb' },
  ])('of %j are left to it', (facts) => {
    expect(plainHeader({ ...file, ...facts }, new Uint8Array(HEADER_ROOM))).toBeUndefined();
  });
});
