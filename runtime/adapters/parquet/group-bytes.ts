/** Counts what the pages of row groups have in bytes once they are unpacked and written out, each once. */
export class GroupBytes {
  readonly #most: number;
  readonly #groups = new Map<number, { bytes: number; readonly seen: Set<string> }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** `what` tells one part of a group from the others. */
  add(group: number, what: string, bytes: number): void {
    const counted = this.#groups.get(group) ?? { bytes: 0, seen: new Set<string>() };
    this.#groups.set(group, counted);
    if (counted.seen.has(what)) return;
    counted.seen.add(what);
    counted.bytes += bytes;
    if (counted.bytes > this.#most)
      throw new RangeError(
        `a row group of more than ${this.#most} bytes; \`limits.parquet_bytes\` in the configuration changes the limit`,
      );
  }
}
