import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { FA_sync_dir } from '#stdlib/files/copies/sync/sync.ts';

import { call, openPlace } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { makeTrees } from './random-trees.ts';
import { plain } from './sync-calls.ts';
import { rsyncDecisions, type Decisions, type SyncMode } from './rsync-decisions.ts';

const TREES = process.env['SVC_TEST_FULL'] ? 10_000 : 300;
/** Pairs under one root: one call of rsync looks at all of them. */
const AT_ONCE = 100;
const modes: readonly SyncMode[] = [
  { compare: 'size_mtime', delete: false },
  { compare: 'size_mtime', delete: true },
  { compare: 'checksum', delete: false },
  { compare: 'checksum', delete: true },
];

type Summary = { readonly [Name in Exclude<keyof Decisions, 'errors'>]: readonly string[] } & {
  readonly errors: readonly (readonly string[])[];
};

/** In the form in which rsync tells it: a folder that makes room for something else goes without a word. */
function decisionsOf(summary: Summary): Decisions {
  const { copied, deleted, updated, folders_made, errors } = summary;
  const taken = new Set(copied);
  return {
    copied: [...copied],
    deleted: [...deleted],
    updated: [...updated],
    folders_made: [...folders_made],
    folders_removed: summary.folders_removed.filter((name) => !taken.has(name)),
    errors: errors.map(([name = '']) => name).sort(),
  };
}

test.skipIf(lacks('rsync', 'mkfifo'))(
  `${TREES} random pairs of trees: the same decisions as rsync, and nothing left to do for it`,
  async () => {
    const place = await openPlace();
    const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'svc-trees-'));
    const seen = { copied: 0, skipped: 0, deleted: 0, updated: 0, folders_made: 0, folders_removed: 0, errors: 0 };
    try {
      for (let batch = 0; batch < TREES / AT_ONCE; batch += 1) {
        const [src, dst] = [join(root, 's'), join(root, 't')];
        for (const folder of [src, dst]) mkdirSync(folder);
        for (let pair = 0; pair < AT_ONCE; pair += 1)
          makeTrees(batch * AT_ONCE + pair, Buffer.from(join(src, String(pair))), Buffer.from(join(dst, String(pair))));
        for (const mode of modes) {
          const preview = await call(FA_sync_dir, place, { src, dst, ...plain, ...mode, dry_run: true });
          expect(decisionsOf(preview), `batch ${batch}, ${JSON.stringify(mode)}`).toEqual(
            rsyncDecisions(src, dst, mode),
          );
          for (const [name, list] of Object.entries(preview))
            if (Array.isArray(list)) seen[name as keyof typeof seen] += list.length;
        }
        const mode = modes[batch % modes.length] as SyncMode;
        const preview = await call(FA_sync_dir, place, { src, dst, ...plain, ...mode, dry_run: true });
        const done = await call(FA_sync_dir, place, { src, dst, ...plain, ...mode, max_delete: 1_000_000 });
        expect({ ...done, dry_run: true }, `batch ${batch} did what its preview said`).toEqual(preview);
        // rsync finds all of it right, but for what neither of them can do.
        const left = rsyncDecisions(src, dst, { ...mode, compare: 'size_mtime' });
        expect(left, `batch ${batch} is done`).toEqual({
          copied: [],
          deleted: [],
          updated: [],
          folders_made: [],
          folders_removed: [],
          errors: left.errors,
        });
        expect(left.errors).toEqual(decisionsOf(done).errors);
        rmSync(root, { recursive: true });
        mkdirSync(root);
      }
      for (const [name, count] of Object.entries(seen)) expect(count, `some were ${name}`).toBeGreaterThan(TREES / 10);
    } finally {
      rmSync(root, { recursive: true, force: true });
      await place.close();
    }
  },
  1_200_000,
);
