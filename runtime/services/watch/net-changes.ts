import { basename, dirname } from 'node:path';

import { isSameState, isSameThing, type Change, type Seen } from './change.ts';

export interface Look {
  readonly path: string;
  readonly before: Seen | undefined;
  readonly after: Seen | undefined;
}

/**
 * Changes of paths between two looks at them, whatever happened in between: a file that was made and removed
 * again is none. A file that is gone here and new there counts as moved; of a moved folder only itself is told,
 * not its content.
 */
export function netChanges(looks: readonly Look[]): readonly Change[] {
  const moves = movesAmong(looks);
  const changes: Change[] = [];
  for (const look of looks) {
    const change = changeOf(look, moves);
    if (change) changes.push(change);
  }
  return changes;
}

interface Moves {
  /** New place by old one. */
  readonly to: ReadonlyMap<string, string>;
  readonly from: ReadonlyMap<string, string>;
}

function changeOf({ path, before, after }: Look, moves: Moves): Change | undefined {
  const from = moves.from.get(path);
  if (from !== undefined && after) {
    if (isMovedAlong(from, path, moves)) return undefined;
    return { type: 'moved', path: from, dest: path, seen: after, ...(before && { replaces: true as const }) };
  }
  if (isSameState(before, after)) return undefined;
  if (after) return { type: before ? 'modified' : 'created', path, seen: after };
  return moves.to.has(path) ? undefined : { type: 'deleted', path };
}

/** The folder around it was moved, and it with the folder. */
function isMovedAlong(from: string, to: string, moves: Moves): boolean {
  return basename(from) === basename(to) && moves.to.get(dirname(from)) === dirname(to);
}

function movesAmong(looks: readonly Look[]): Moves {
  const gone = new Map<string, Look[]>();
  for (const look of looks) {
    const { before, after } = look;
    if (before && (!after || !isSameThing(before, after)))
      gone.set(keyOf(before), [...(gone.get(keyOf(before)) ?? []), look]);
  }
  const to = new Map<string, string>();
  const from = new Map<string, string>();
  for (const { path, before, after } of looks) {
    if (!after || (before && isSameThing(before, after))) continue;
    const source = gone
      .get(keyOf(after))
      ?.find(
        (look) =>
          !to.has(look.path) && look.path !== path && look.after === undefined && isSameContent(look.before, after),
      );
    if (!source) continue;
    to.set(source.path, path);
    from.set(path, source.path);
  }
  return { to, from };
}

/**
 * Whether two things may be one that was moved: as large and as old as before. Not every file system keeps
 * births apart.
 */
function isSameContent(before: Seen | undefined, after: Seen): boolean {
  if (before?.kind !== after.kind) return false;
  return after.kind === 'directory' || (before.size === after.size && before.mtime_ms === after.mtime_ms);
}

function keyOf({ dev, ino, birthtime_ms }: Seen): string {
  return `${dev}:${ino}:${birthtime_ms}`;
}
