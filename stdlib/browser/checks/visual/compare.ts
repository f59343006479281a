import type { Ports } from '#runtime/kernel/ports.ts';

type Pictures = Ports['pictures'];
type Picture = ReturnType<Pictures['decode']>;

/** Part of a picture, in its pixels. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Comparing {
  readonly path: string;
  /** Points that may differ. */
  readonly threshold: number;
  readonly ignored: readonly Region[];
  readonly tolerance: { readonly color: number; readonly edges: boolean };
}

export interface Compared {
  readonly match: boolean;
  /** -1 where the sizes differ. */
  readonly pixel_diff: number;
  readonly baseline_size?: [width: number, height: number];
  readonly current_size?: [width: number, height: number];
  readonly reason?: string;
  /** A PNG that shows what differs. */
  readonly drawing?: Uint8Array;
}

/** Compares two PNGs. Equal files are not even decoded. */
export function compare(
  pictures: Pictures,
  baseline: Uint8Array,
  current: Uint8Array,
  { path, threshold, ignored, tolerance }: Comparing,
): Compared {
  if (Buffer.from(baseline).equals(current)) return { match: true, pixel_diff: 0 };
  const [one, other] = [pictures.decode(baseline, path), pictures.decode(current, 'the current picture')];
  if (one.width !== other.width || one.height !== other.height)
    return {
      match: false,
      pixel_diff: -1,
      reason: 'size mismatch',
      baseline_size: [one.width, one.height],
      current_size: [other.width, other.height],
    };
  for (const region of ignored) blank(one, other, region);
  const drawing: Picture = { width: one.width, height: one.height, data: new Uint8Array(one.data.length) };
  const count = pictures.difference(one, other, drawing, tolerance);
  if (count === 0) return { match: true, pixel_diff: 0 };
  return { match: count <= threshold, pixel_diff: count, drawing: pictures.encode(drawing) };
}

/** Makes a region of the second picture equal to that of the first; what lies outside of them does not count. */
function blank(one: Picture, other: Picture, { x, y, width, height }: Region): void {
  const left = Math.min(Math.max(Math.floor(x), 0), one.width);
  const right = Math.min(Math.max(Math.ceil(x + width), 0), one.width);
  const bottom = Math.min(Math.ceil(y + height), one.height);
  for (let row = Math.max(Math.floor(y), 0); row < bottom; row++) {
    const begin = (row * one.width + left) * 4;
    other.data.set(one.data.subarray(begin, begin + (right - left) * 4), begin);
  }
}
