import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { isObject } from '#schemas/types/json.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import type { Kept } from './answer.ts';
import type { Validator } from './validator.ts';

/** `<target>.part` with the bytes that have come, and `<target>.part.json` with what they belong to. */
export class PartialDownload {
  readonly path: string;
  readonly #files: Files;
  readonly #notes: string;

  constructor(files: Files, target: string) {
    this.#files = files;
    this.path = `${target}.part`;
    this.#notes = `${target}.part.json`;
  }

  /** Part that is there of this address; undefined: none that could be continued. */
  async find(url: string): Promise<Kept | undefined> {
    const there = await entryAt(this.#files, this.path);
    if (there === undefined) return undefined;
    // A link or a pipe in its place would lead the bytes elsewhere.
    if (there.kind !== 'file') throw fail.specialFile({ path: this.path });
    const validator = await this.#read(url);
    return validator && there.size > 0 ? { size: there.size, validator } : undefined;
  }

  /** Begins anew. The note stands before the first byte does, so that no byte is ever taken for one of another file. */
  async begin(url: string, validator: Validator): Promise<void> {
    await this.remove();
    await this.#files.write(this.#notes, `${JSON.stringify({ version: 1, url, ...validator })}\n`, { parents: true });
    await this.#files.append(this.path, '');
  }

  async append(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces) await this.#files.append(this.path, piece);
  }

  /** The bytes go first: a note alone says nothing. */
  async remove(): Promise<void> {
    await this.#removeIfThere(this.path);
    await this.#removeIfThere(this.#notes);
  }

  /** Puts the file in its place, with the permissions of what was there. */
  async finish(target: string, durable: boolean): Promise<void> {
    const old = await this.#files.find(target);
    if (durable) await this.#files.writeStream(target, this.#files.stream(this.path), { durable });
    else {
      if (old) await this.#files.setMode(this.path, old.mode & 0o7777);
      await this.#files.rename(this.path, target);
    }
    await this.remove();
  }

  async #read(url: string): Promise<Validator | undefined> {
    if ((await entryAt(this.#files, this.#notes))?.kind !== 'file') return undefined;
    const note = parse(await this.#files.read(this.#notes));
    if (!isObject(note) || note['version'] !== 1 || note['url'] !== url) return undefined;
    const { etag, last_modified } = note;
    if (typeof etag === 'string') return { etag };
    return typeof last_modified === 'string' ? { last_modified } : undefined;
  }

  async #removeIfThere(path: string): Promise<void> {
    const there = await entryAt(this.#files, path);
    if (there?.kind === 'directory') throw fail.isAFolder({ path });
    if (there) await this.#files.remove(path);
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
