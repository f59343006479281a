/** Pictures as points in memory. */
export interface Pictures {
  /** Decodes a PNG; `name` is what a failure calls it. */
  decode(bytes: Uint8Array, name: string): Picture;
  /** Encodes a picture as a PNG. */
  encode(picture: Picture): Uint8Array;
  /** Counts points that look different, and draws them into `drawing`. Sizes must be equal. */
  difference(one: Picture, other: Picture, drawing: Picture, how: Tolerance): number;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each point, by rows. */
  readonly data: Uint8Array;
}

export interface Tolerance {
  /** Distance of colours that still counts as equal, from 0 to 1, as people see them. */
  readonly color: number;
  /** Points that differ only by how edges were smoothed do not count. */
  readonly edges: boolean;
}

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly pictures: Pictures;
  }
}
