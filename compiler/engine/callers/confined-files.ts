import { dirname, resolve } from 'node:path';

import { isBelow } from '#compiler/reader.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files, Host } from '#schemas/types/host.ts';

import { isLinkCall, linkOut, standingAt, type LinkCall } from './links-inside.ts';

type Arguments<Name extends keyof Files> = Parameters<Files[Name]>;
type Paths = { readonly [Name in keyof Files]: (...given: Arguments<Name>) => readonly string[] };

const one = (path: string): readonly string[] => [path];
const both = (from: string, to: string): readonly string[] => [from, to];
const none = (): readonly string[] => [];

/** Paths among the arguments of each call. */
const paths: Paths = {
  stat: one,
  lstat: one,
  find: one,
  read: one,
  readRegular: one,
  open: one,
  stream: one,
  digest: one,
  write: one,
  writeStream: one,
  append: one,
  list: one,
  survey: one,
  makeDirectory: one,
  rename: both,
  moveInto: (folder, entries) => [folder, ...entries.map(({ from }) => from)],
  copy: both,
  copyMany: (copies) => copies.flatMap(({ from, to }) => [from, to]),
  tellApart: (groups) => groups.flatMap((group) => group.paths),
  sameContent: both,
  remove: one,
  removeTree: one,
  readLink: one,
  link: (_target, path) => [path],
  hardLink: both,
  setTimes: one,
  setMode: one,
  realPath: one,
  temporaryBeside: none,
  isTemporary: none,
  sweep: one,
  temporaryDirectory: none,
  sweepTemporary: none,
};

/**
 * Files of a host that are reached below some folders alone, and in the temporary folders that it makes: by name and
 * behind links, whoever gives the path and whenever it becomes known. Every other path is refused.
 */
export function confinedFiles(confinement: Confinement, files: Files): Files {
  const confined = Object.entries(paths).map(([name, pathsOf]) => {
    const call = Reflect.get(files, name) as (...given: unknown[]) => unknown;
    const asked = pathsOf as (...given: unknown[]) => readonly string[];
    return [
      name,
      (...given: unknown[]) =>
        confinement.call({ name, given, asked: asked(...given) }, () => call.apply(files, given)),
    ];
  });
  return Object.fromEntries(confined) as Files;
}

interface Call {
  readonly name: string;
  readonly given: readonly unknown[];
  /** Paths among what was given. */
  readonly asked: readonly string[];
}

/** Folders of a host below which alone paths may lead. */
export class Confinement {
  readonly #files: Files;
  readonly #cwd: string;
  readonly #folders: string[];
  /** Number of the folders that were given; behind them stand the temporary ones. */
  readonly #given: number;
  /** End of the last call that gives links places: one at a time, so that none makes a link in what another moves. */
  #placing: Promise<unknown> = Promise.resolve();

  constructor({ files, cwd }: Pick<Host, 'files' | 'cwd'>, folders: readonly string[]) {
    this.#files = files;
    this.#cwd = cwd;
    this.#folders = folders.map((folder) => resolve(cwd, folder));
    this.#given = folders.length;
  }

  call(call: Call, work: () => unknown): unknown {
    const { name, asked } = call;
    if (name === 'temporaryBeside' || name === 'isTemporary') return work();
    if (name === 'stream') return this.#stream(asked, work as () => AsyncIterable<Uint8Array>);
    return this.#later(call, work);
  }

  async #later({ name, given, asked }: Call, work: () => unknown): Promise<unknown> {
    for (const path of asked) await this.check(path);
    const result = await (isLinkCall(name) ? this.#place(name, given, work) : work());
    if (name === 'temporaryDirectory') this.#folders.push(result as string);
    if (name === 'removeTree') this.#forget(asked);
    return result;
  }

  #place(name: LinkCall, given: readonly unknown[], work: () => unknown): Promise<unknown> {
    const place = async (): Promise<unknown> => {
      const folders = await Promise.all(this.#folders.map((folder) => this.#real(folder)));
      const standing = (path: string): Promise<string> =>
        standingAt(resolve(this.#cwd, path), (folder) => this.#real(folder));
      const out = await linkOut({ files: this.#files, folders, standing }, name, given);
      if (out !== undefined) throw fail.inputOutside({ path: out });
      return work();
    };
    const placed = this.#placing.then(place);
    this.#placing = placed.catch(() => undefined);
    return placed;
  }

  /** Temporary folders that are gone; those that were given stay. */
  #forget(removed: readonly string[]): void {
    for (const path of removed) {
      const at = this.#folders.lastIndexOf(resolve(this.#cwd, path));
      if (at >= this.#given) this.#folders.splice(at, 1);
    }
  }

  async *#stream(asked: readonly string[], work: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for (const path of asked) await this.check(path);
    yield* work();
  }

  /** Rejects where a path leads elsewhere, by name or behind links. */
  async check(path: string): Promise<void> {
    const full = resolve(this.#cwd, path);
    if (!this.#folders.some((folder) => isBelow(full, folder))) throw fail.inputOutside({ path });
    const real = await this.#real(full);
    for (const folder of this.#folders) if (isBelow(real, await this.#real(folder))) return;
    throw fail.inputOutside({ path });
  }

  /** Place that a path really leads to; of one that is not there, the place that its nearest folder leads to. */
  async #real(path: string): Promise<string> {
    for (let at = path; ; at = dirname(at)) {
      const real = await this.#files.realPath(at).catch(() => undefined);
      if (real !== undefined) return resolve(real, path.slice(at.length).replace(/^[\\/]+/, ''));
      if (dirname(at) === at) return path;
    }
  }
}
