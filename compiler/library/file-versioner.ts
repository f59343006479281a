import type { CommandMap } from '#schemas/generated/command-map.ts';

import { call } from '#compiler/engine/call.ts';

/** One snapshot: its number from 1, its time in seconds since the epoch, and where its content stands. */
export type Version = CommandMap['FA_version_save']['result'];

/** Numbered snapshots of files below a folder, which is made when it is missing. */
export class FileVersioner {
  /** The folder of the store, as it was given. */
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Stores the file as it is now, flushed to the disk. */
  save_version(path: string): Promise<Version> {
    return call('FA_version_save', { root: this.root, path });
  }

  /** Oldest first; empty for a file of which nothing was stored. */
  list_versions(path: string): Promise<readonly Version[]> {
    return call('FA_version_list', { root: this.root, path });
  }

  /** Brings a snapshot back at once; what is there is stored as a new version first. */
  async restore(path: string, version: number): Promise<void> {
    await call('FA_version_restore', { root: this.root, path, version });
  }

  /** Deletes all but the newest; yields how many went. */
  prune(path: string, keep: number): Promise<number> {
    return call('FA_version_prune', { root: this.root, path, keep });
  }
}
