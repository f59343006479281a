import { join, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { bytesOfName } from '#schemas/types/file-name.ts';
import type { FileStat } from '#schemas/types/host.ts';
import { entryAt } from '#stdlib/files/kind.ts';
import { realPathOf } from '#stdlib/files/real-path.ts';
import { sourceAtRest } from '#stdlib/files/source-at-rest.ts';

import { isRemoved } from './is-removed.ts';
import { publish } from './publish.ts';
import { snapshotName, snapshotsIn, type Snapshot } from './snapshots.ts';

export type VersionTools = Pick<Base, 'signal' | 'folders'> & Pick<Ports, 'files' | 'clock' | 'digests'>;

export interface Version {
  readonly version: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** The snapshot. */
  readonly path: string;
}

/** File, in a file's folder, with the path that the snapshots belong to. */
const ORIGIN = 'path.json';
const CHUNK = 256 * 1024;

/**
 * Numbered snapshots of files, each file's in a folder of its own below `root`. All that is written is flushed to the
 * disk.
 */
export class FileVersioner {
  readonly #tools: VersionTools;
  readonly #root: string;

  constructor(tools: VersionTools, root: string) {
    this.#tools = tools;
    this.#root = resolve(tools.folders.cwd, root);
  }

  /** Stores the file as it is now. */
  async save_version(path: string): Promise<Version> {
    const { files, clock } = this.#tools;
    const found = await files.find(path);
    if (found?.kind !== 'file') throw fail.versionSource({ path });
    const folder = await this.#folderFor(path);
    const part = files.temporaryBeside(join(folder, 'v'));
    try {
      await this.#copy(path, part, found);
      const snapshot = await publish(files, folder, part, (version) => snapshotName(version, clock.now()));
      return versionOf(folder, snapshot);
    } finally {
      if ((await entryAt(files, part)) !== undefined) await files.remove(part);
    }
  }

  /** Oldest first; empty for a file of which nothing was stored. */
  async list_versions(path: string): Promise<Version[]> {
    const folder = this.#folderOf(path);
    return (await snapshotsIn(this.#tools.files, folder)).map((snapshot) => versionOf(folder, snapshot));
  }

  /** Brings content, time and permissions of a snapshot back; what is there is stored as a new version first. */
  async restore(path: string, version: number): Promise<void> {
    const { files, folders } = this.#tools;
    const folder = this.#folderOf(path);
    const snapshot = (await snapshotsIn(files, folder)).find((one) => one.version === version);
    if (snapshot === undefined) throw fail.versionUnknown({ path, version });
    if ((await files.find(path)) !== undefined) await this.save_version(path);
    const from = join(folder, snapshot.name);
    // A link stays one: the file that it names is replaced.
    const target = (await entryAt(files, path))?.kind === 'symlink' ? await realPathOf(files, folders.cwd, path) : path;
    const part = files.temporaryBeside(target);
    try {
      await this.#copy(from, part, await files.stat(from));
      await files.rename(part, target, { durable: true });
    } catch (error) {
      if ((await entryAt(files, part)) !== undefined) await files.remove(part);
      throw error;
    }
  }

  /**
   * Deletes all but the newest; yields how many went. Versions that somebody else deletes meanwhile are not
   * counted.
   */
  async prune(path: string, keep: number): Promise<number> {
    const { files, signal } = this.#tools;
    const folder = this.#folderOf(path);
    const snapshots = await snapshotsIn(files, folder);
    const old = snapshots.slice(0, Math.max(0, snapshots.length - keep));
    let count = 0;
    for (const { name } of old) {
      signal.throwIfAborted();
      if (await isRemoved(files.remove(join(folder, name)))) count += 1;
    }
    return count;
  }

  /** Named after a digest of the absolute path: names of any length and bytes fit, and no two paths share one. */
  #folderOf(path: string): string {
    const digest = this.#tools.digests.open('sha256');
    digest.update(bytesOfName(this.#absolute(path)));
    return join(this.#root, digest.hex());
  }

  async #folderFor(path: string): Promise<string> {
    const { files, signal } = this.#tools;
    const folder = this.#folderOf(path);
    const origin = join(folder, ORIGIN);
    if ((await files.find(origin)) === undefined)
      await files.write(origin, `${JSON.stringify({ path: this.#absolute(path) })}\n`, {
        parents: true,
        durable: true,
        signal,
      });
    return folder;
  }

  #absolute(path: string): string {
    return resolve(this.#tools.folders.cwd, path);
  }

  async #copy(from: string, to: string, { mode, atime_ms, mtime_ms }: FileStat): Promise<void> {
    const { files, signal } = this.#tools;
    await files.writeStream(to, sourceAtRest(files, from, { chunk: CHUNK, signal }), {
      durable: true,
      parents: true,
      mode: mode & 0o7777,
      signal,
    });
    await files.setTimes(to, atime_ms, mtime_ms);
  }
}

function versionOf(folder: string, { version, timestamp, name }: Snapshot): Version {
  return { version, timestamp, path: join(folder, name) };
}
