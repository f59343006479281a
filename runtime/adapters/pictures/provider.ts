import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

import type { Provider } from '#runtime/kernel/ports.ts';
import { pictureBroken } from '#schemas/generated/failures.ts';

import type { Picture, Pictures, Tolerance } from './port.ts';

export const provider: Provider<'pictures'> = { open: () => pictures };

const pictures: Pictures = { decode, encode, difference };

function decode(bytes: Uint8Array, name: string): Picture {
  try {
    const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
    return { width, height, data };
  } catch (cause) {
    throw pictureBroken({ name, reason: cause instanceof Error ? cause.message : 'it cannot be read', cause });
  }
}

function encode({ width, height, data }: Picture): Uint8Array {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return PNG.sync.write(png);
}

function difference(one: Picture, other: Picture, drawing: Picture, { color, edges }: Tolerance): number {
  if (color === 0 && !edges) return exactly(one, other, drawing);
  return pixelmatch(one.data, other.data, drawing.data, one.width, one.height, { threshold: color, includeAA: !edges });
}

/** Points of which red, green or blue differ at all; opacity does not count. Drawn red on the paled first picture. */
function exactly({ data: one }: Picture, { data: other }: Picture, { data: drawn }: Picture): number {
  let count = 0;
  for (let at = 0; at < one.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [one[at], one[at + 1], one[at + 2]];
    const differs = red !== other[at] || green !== other[at + 1] || blue !== other[at + 2];
    if (differs) count += 1;
    const pale = differs ? 0 : 230 + Math.round((red + green + blue) / 30.6);
    drawn[at] = differs ? 255 : pale;
    drawn[at + 1] = pale;
    drawn[at + 2] = pale;
    drawn[at + 3] = 255;
  }
  return count;
}
