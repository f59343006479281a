import type { Base, Ports } from '#runtime/kernel/ports.ts';

export type TrashTools = Pick<Base, 'signal' | 'folders'> & Pick<Ports, 'files' | 'clock' | 'random'>;

export interface TrashEntry {
  readonly trash_id: string;
  /** Absolute; empty where it is not known. */
  readonly original: string;
  /** Seconds since 1970. */
  readonly trashed_at: number;
  /** The content. */
  readonly path: string;
  readonly is_dir: boolean;
  /** Reason why it cannot be restored as it is. */
  readonly problem?: string;
}

/** File or folder to be thrown away. */
export interface Discarded {
  /** Absolute. */
  readonly original: string;
  readonly is_dir: boolean;
}

/** Layout of a trash can. Facts say of an entry where it came from and when; its content lies elsewhere. */
export interface TrashCan {
  /** A folder on the file system of the contents in which temporary files are out of the way. */
  readonly workshop: string;
  /** Makes missing folders, and refuses a can that others could lead elsewhere. */
  prepare(): Promise<void>;
  /** Entries in no order. Also those that are broken, each with its problem. */
  entries(): Promise<readonly TrashEntry[]>;
  /** Ids that an item could get, best first, without end. */
  idsFor(item: Discarded): Iterable<string>;
  /** Writes the facts; undefined where that id is taken. The entry's path is free. */
  record(id: string, item: Discarded): Promise<TrashEntry | undefined>;
  hasContent(id: string): Promise<boolean>;
  /** Removes the facts, where there are any. */
  forget(id: string): Promise<void>;
  /** Called when the contents have changed: an entry came, or these went. Never fails. */
  changed(came: TrashEntry | undefined, gone: readonly string[]): Promise<void>;
}
