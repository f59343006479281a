import { crc32, deflateRawSync } from 'node:zlib';

import type { Files } from '#schemas/types/host.ts';

import { Deflaters } from './deflaters.ts';
import type { ZipSource } from './port.ts';

/** Level of the program `zip`. */
const LEVEL = 6;

/** Below this size a trip to the thread pool takes longer than the packing. */
const TINY = 2 * 1024;

/** Files that are read and packed before their turn. */
const AHEAD = 16;

export interface SmallFile {
  readonly bytes: Uint8Array;
  readonly method: 0 | 8;
  readonly crc32: number;
  readonly size: number;
}

/** Reads and packs small files before their turn: many of them wait longer for the disk than for the packing. */
export class SmallFiles {
  readonly #files: Files;
  readonly #sources: readonly ZipSource[];
  readonly #deflaters = new Deflaters(LEVEL);
  readonly #ahead = new Map<ZipSource, Promise<SmallFile>>();
  #next = 0;

  /** Takes the sources in the order in which they will be asked for. */
  constructor(files: Files, sources: readonly ZipSource[]) {
    this.#files = files;
    this.#sources = sources;
  }

  async take(source: ZipSource): Promise<SmallFile> {
    while (this.#ahead.size < AHEAD && this.#next < this.#sources.length) this.#begin();
    const packing = this.#ahead.get(source);
    this.#ahead.delete(source);
    if (packing === undefined) throw new Error(`"${source.name}" is not next`);
    return packing;
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#ahead.values());
    this.#deflaters.close();
  }

  #begin(): void {
    const source = this.#sources[this.#next];
    this.#next += 1;
    if (source?.path === undefined) return;
    const packing = this.#pack(source.path);
    // It is told when its turn comes.
    packing.catch(() => undefined);
    this.#ahead.set(source, packing);
  }

  async #pack(path: string): Promise<SmallFile> {
    const content = await this.#files.read(path);
    const deflated =
      content.length <= TINY ? deflateRawSync(content, { level: LEVEL }) : await this.#deflaters.pack(content);
    const isSmaller = deflated.length < content.length;
    return {
      bytes: isSmaller ? deflated : content,
      method: isSmaller ? 8 : 0,
      crc32: crc32(content),
      size: content.length,
    };
  }
}
