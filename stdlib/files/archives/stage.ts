import { basename, dirname, join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { Files, WriteOptions } from '#schemas/types/host.ts';

import type { Admission } from './admission.ts';
import type { Placed } from './member.ts';

type StageTools = Pick<Base, 'signal' | 'durable'> & Pick<Ports, 'files'>;

/** A folder in the target in which members wait, whole, for the moment when all of them appear. */
export class Stage {
  readonly #tools: StageTools;
  readonly #target: string;
  readonly #folder: string;
  readonly #stored = new Map<Placed, string>();
  #count = 0;

  constructor(tools: StageTools, target: string) {
    this.#tools = tools;
    this.#target = target;
    this.#folder = tools.files.temporaryBeside(join(target, 'members'));
  }

  async open(): Promise<void> {
    await this.#tools.files.makeDirectory(this.#folder);
  }

  async close(): Promise<void> {
    await this.#tools.files.removeTree(this.#folder).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });
  }

  async store(item: Placed, admission: Admission): Promise<void> {
    const { files, signal } = this.#tools;
    signal.throwIfAborted();
    const { member } = item;
    if (member.kind === 'folder') return;
    const path = join(this.#folder, String(this.#count));
    this.#count += 1;
    this.#stored.set(item, path);
    if (member.kind === 'symlink') return files.link(member.target ?? '', path);
    if (member.kind === 'hard-link')
      return this.#storeAgain(this.#stored.get(admission.earlierFile(member)) ?? '', path);
    await this.#storeFile(item, path);
  }

  /** A second name of one file; a copy where the file system has no such thing. */
  async #storeAgain(from: string, path: string): Promise<void> {
    const { files, signal } = this.#tools;
    try {
      await files.hardLink(from, path);
    } catch {
      await files.copy(from, path, { metadata: true, signal });
    }
  }

  async #storeFile({ member }: Placed, path: string): Promise<void> {
    const { files, signal, durable } = this.#tools;
    // As the tar command does: nobody else gets the right to write, and the owner can read what was unpacked.
    const mode = member.mode === undefined ? {} : { mode: (member.mode & 0o755) | 0o400 };
    await writeContent(files, path, member.content(), { durable, signal, ...mode });
    if (member.modifiedMs !== undefined) await files.setTimes(path, member.modifiedMs, member.modifiedMs);
  }

  /** Moves everything to its place: folders, then files, then links, then the times of folders. */
  async install(placed: readonly Placed[]): Promise<void> {
    const { files } = this.#tools;
    const below = this.#target;
    const placeOf = ({ parts }: Placed): string => join(below, ...parts);
    const folderOf = (item: Placed): string => (item.member.kind === 'folder' ? placeOf(item) : dirname(placeOf(item)));
    const stored = [...this.#stored].map(([item, from]) => ({
      folder: folderOf(item),
      isLink: item.member.kind === 'symlink',
      entry: { from, name: basename(placeOf(item)) },
    }));
    const whole = Map.groupBy(
      stored.filter(({ isLink }) => !isLink),
      ({ folder }) => folder,
    );
    const links = Map.groupBy(
      stored.filter(({ isLink }) => isLink),
      ({ folder }) => folder,
    );
    for (const folder of new Set(placed.map(folderOf)))
      await files.moveInto(
        folder,
        (whole.get(folder) ?? []).map(({ entry }) => entry),
        { below },
      );
    for (const [folder, moved] of links)
      await files.moveInto(
        folder,
        moved.map(({ entry }) => entry),
        { below },
      );
    // A folder's times change while it is filled, so they come last, the deepest first.
    for (const item of [...placed].reverse()) {
      const { member, parts } = item;
      if (member.kind !== 'folder' || parts.length === 0) continue;
      await files.moveInto(placeOf(item), [], {
        below,
        ...(member.mode !== undefined && { mode: (member.mode & 0o755) | 0o700 }),
        ...(member.modifiedMs !== undefined && { times: { atimeMs: member.modifiedMs, mtimeMs: member.modifiedMs } }),
      });
    }
  }
}

/** A small member is one chunk, and faster written as such. */
async function writeContent(
  files: Files,
  path: string,
  content: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<void> {
  const chunks = content[Symbol.asyncIterator]();
  const { value: begun } = await chunks.next();
  if (begun === undefined) return files.write(path, '', options);
  // Chunks may share one buffer.
  const first = begun.slice();
  const { value: second } = await chunks.next();
  if (second === undefined) return files.write(path, first, options);
  await files.writeStream(path, rest([first, second], chunks), options);
}

async function* rest(begun: readonly Uint8Array[], chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* begun;
  yield* { [Symbol.asyncIterator]: () => chunks };
}
