import type { FileStat } from '#schemas/types/host.ts';

import type { EventKind } from './port.ts';

/** Facts remembered of each path, to tell what became of it. */
export type Seen = Pick<FileStat, 'kind' | 'dev' | 'ino' | 'birthtime_ms' | 'size' | 'mtime_ms'>;

export interface Change {
  readonly type: EventKind;
  readonly path: string;
  /** Path to which something was moved. */
  readonly dest?: string;
  /** Something else stood at `dest` before. */
  readonly replaces?: true;
  /** Facts about the file that is there now; absent: there is none. */
  readonly seen?: Seen;
}

/** Whether nothing has changed between two looks. Only its files change a folder. */
export function isSameState(one: Seen | undefined, other: Seen | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.kind === 'directory' && other.kind === 'directory') return true;
  return (
    isSameThing(one, other) && one.kind === other.kind && one.size === other.size && one.mtime_ms === other.mtime_ms
  );
}

/** File systems give the number of a thing that is gone to the next one, so its birth counts too. */
export function isSameThing(one: Seen, other: Seen): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.birthtime_ms === other.birthtime_ms;
}

/** Facts to remember of a file. */
export function seenIn({ kind, dev, ino, birthtime_ms, size, mtime_ms }: FileStat): Seen {
  return { kind, dev, ino, birthtime_ms, size, mtime_ms };
}
