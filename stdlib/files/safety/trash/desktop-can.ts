import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { DirectoryEntry } from '#schemas/types/host.ts';
import { hasCode } from '#stdlib/files/has-code.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
import { entryAt } from '#stdlib/files/kind.ts';
import { isWithin } from '#stdlib/files/real-path.ts';

import { updateSizes } from './directory-sizes.ts';
import { fitted } from './fitted-name.ts';
import { removeIfThere } from './remove-item.ts';
import { printTrashInfo, readTrashInfo } from './trash-info.ts';
import type { Discarded, TrashCan, TrashEntry, TrashTools } from './trash-can.ts';

const SUFFIX = '.trashinfo';
const STICKY = 0o1000;

/** A trash can of the desktop (freedesktop.org, Trash 1.0): content as `files/<id>`, facts as `info/<id>.trashinfo`. */
export class DesktopCan implements TrashCan {
  readonly workshop: string;
  readonly #tools: TrashTools;
  readonly #can: string;
  readonly #top: string | undefined;

  /** `top`: the folder from which paths count, in a can at the top of a file system. */
  constructor(tools: TrashTools, can: string, top: string | undefined) {
    this.#tools = tools;
    this.#can = can;
    this.#top = top;
    this.workshop = join(can, 'info');
  }

  async prepare(): Promise<void> {
    const { files } = this.#tools;
    await this.#refuseUnsafe();
    for (const folder of [this.#can, join(this.#can, 'files'), this.workshop]) {
      if ((await files.find(folder)) !== undefined) continue;
      await files.makeDirectory(folder, { recursive: true });
      await files.setMode(folder, 0o700);
    }
  }

  async entries(): Promise<readonly TrashEntry[]> {
    const contents = new Map((await this.#listed('files')).map((entry) => [entry.name, entry]));
    const recorded = (await this.#listed('info')).flatMap(({ name }) =>
      name.endsWith(SUFFIX) ? [name.slice(0, -SUFFIX.length)] : [],
    );
    const entries: TrashEntry[] = [];
    await inParallel(
      [...new Set([...contents.keys(), ...recorded])],
      async (id) => void entries.push(await this.#entry(id, contents.get(id))),
    );
    return entries;
  }

  *idsFor({ original }: Discarded): Iterable<string> {
    const name = basename(original);
    const most = 255 - SUFFIX.length;
    yield fitted(name, most);
    const end = extname(name).length > 20 ? '' : extname(name);
    for (let number = 2; ; number += 1)
      yield `${fitted(name.slice(0, name.length - end.length), most - Buffer.byteLength(`.${number}${end}`))}.${number}${end}`;
  }

  async record(id: string, { original, is_dir }: Discarded): Promise<TrashEntry | undefined> {
    const { files, clock, signal } = this.#tools;
    if (await this.hasContent(id)) return undefined;
    const trashed_at = Math.floor(clock.now() / 1000);
    const text = printTrashInfo({ path: this.#pathFor(original), trashed_at }, clock);
    try {
      await files.write(this.#infoOf(id), text, { exclusive: true, durable: true, mode: 0o600, signal });
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return undefined;
      throw error;
    }
    return { trash_id: id, original, trashed_at, path: this.#contentOf(id), is_dir };
  }

  async hasContent(id: string): Promise<boolean> {
    return (await entryAt(this.#tools.files, this.#contentOf(id))) !== undefined;
  }

  async forget(id: string): Promise<void> {
    await removeIfThere(this.#tools.files, this.#infoOf(id));
  }

  async changed(came: TrashEntry | undefined, gone: readonly string[]): Promise<void> {
    try {
      await updateSizes(
        this.#tools,
        { sizes: join(this.#can, 'directorysizes'), info: (id) => this.#infoOf(id) },
        came,
        gone,
      );
    } catch {
      // Desktops measure a folder whose size is not written down.
    }
  }

  #contentOf(id: string): string {
    return join(this.#can, 'files', id);
  }

  #infoOf(id: string): string {
    return join(this.workshop, id + SUFFIX);
  }

  async #listed(folder: string): Promise<readonly DirectoryEntry[]> {
    const path = join(this.#can, folder);
    return (await this.#tools.files.find(path)) === undefined ? [] : this.#tools.files.list(path);
  }

  async #entry(id: string, content: DirectoryEntry | undefined): Promise<TrashEntry> {
    const place = { path: this.#contentOf(id), is_dir: content?.kind === 'directory' };
    const unknown = { trash_id: id, original: '', trashed_at: 0, ...place };
    const info = await this.#info(id);
    if (info === undefined) return { ...unknown, problem: 'its facts are missing or cannot be read' };
    const known = { ...unknown, ...info };
    return content === undefined ? { ...known, problem: 'its content is missing' } : known;
  }

  async #info(id: string): Promise<Pick<TrashEntry, 'original' | 'trashed_at'> | undefined> {
    const { files, clock } = this.#tools;
    if ((await entryAt(files, this.#infoOf(id)))?.kind !== 'file') return undefined;
    const info = readTrashInfo(new TextDecoder().decode(await files.read(this.#infoOf(id))), clock);
    if (info === undefined) return undefined;
    if (isAbsolute(info.path)) return { original: info.path, trashed_at: info.trashed_at };
    // Only a can at the top of a file system holds relative ones, and none leads out of it.
    if (this.#top === undefined || info.path.split('/').includes('..')) return undefined;
    return { original: join(this.#top, info.path), trashed_at: info.trashed_at };
  }

  #pathFor(original: string): string {
    if (this.#top === undefined) return original;
    if (!isWithin(this.#top, original))
      throw fail.trashOverlap({
        path: original,
        trash_dir: this.#can,
        why: `it does not lie below "${this.#top}", which this can serves`,
      });
    return relative(this.#top, original);
  }

  /** The shared folder `.Trash` must be one in which users cannot rename each other's folders, and no link. */
  async #refuseUnsafe(): Promise<void> {
    const shared = dirname(this.#can);
    if (basename(shared) !== '.Trash') return;
    const found = await entryAt(this.#tools.files, shared);
    if (found?.kind !== 'directory' || (found.mode & STICKY) === 0) throw fail.trashUnsafe({ path: shared });
  }
}
