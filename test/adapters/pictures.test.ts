import { crc32 } from 'node:zlib';

import { expect, test } from 'vitest';

import { provider } from '#runtime/adapters/pictures/provider.ts';
import { compare } from '#stdlib/browser/checks/visual/compare.ts';

import { unitContext } from '../fixtures/unit-context.ts';

const pictures = await provider.open(unitContext().context);
const tolerance = { color: 0.1, edges: true };
const asked = { path: 'it.png', threshold: 0, ignored: [], tolerance };

/** A dark shape below a slope; `shade` is how dark a point is of which a share (0 to 1) lies below. */
function slope(shade: (share: number) => number, from = 10): Uint8Array {
  const [width, height] = [60, 40];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const share = Math.min(Math.max(y + 1 - (from + x * 0.3), 0), 1);
      data.fill(255 - Math.round(220 * shade(share)), (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  return pictures.encode({ width, height, data });
}

const smooth = slope((share) => share);
/** The same shape, its edge drawn otherwise. */
const otherwise = slope((share) => share ** 2);

test('edges that were smoothed otherwise are told, and do not count where that is wanted', () => {
  expect(compare(pictures, smooth, otherwise, { ...asked, tolerance: { color: 0, edges: false } }).match).toBe(false);
  expect(compare(pictures, smooth, otherwise, { ...asked, tolerance: { ...tolerance, edges: false } }).match).toBe(
    false,
  );
  expect(compare(pictures, smooth, otherwise, asked)).toEqual({ match: true, pixel_diff: 0 });
});

test('a shape that moved counts however edges are taken', () => {
  expect(
    compare(
      pictures,
      smooth,
      slope((share) => share, 14),
      asked,
    ),
  ).toMatchObject({ match: false });
});

test('equal files are not even read, and other bytes of the same points are equal', () => {
  const broken = new TextEncoder().encode('no picture');
  expect(compare(pictures, broken, broken.slice(), asked)).toEqual({ match: true, pixel_diff: 0 });
  const remark = Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.from('tEXta\0b'), Buffer.alloc(4)]);
  remark.writeUInt32BE(crc32(remark.subarray(4, 11)), 11);
  // Behind the header, which every picture begins with.
  const longer = Buffer.concat([smooth.subarray(0, 33), remark, smooth.subarray(33)]);
  expect(compare(pictures, smooth, longer, asked)).toEqual({ match: true, pixel_diff: 0 });
});
