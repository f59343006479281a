import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { FA_sync_dir } from '#stdlib/files/copies/sync/sync.ts';

import { call, openPlace } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { makeTrees } from './random-trees.ts';
import { rsyncDecisions } from './rsync-decisions.ts';
import { plain } from './sync-calls.ts';

const TREES = process.env['SVC_TEST_FULL'] ? 2000 : 200;
const globs = [
  ['a'],
  ['b/'],
  ['*.tmp', '.hidden'],
  ['a?b', '-?f'],
  ['[!a-z]*'],
  ['/1*/'],
  ['/2?/a'],
  ['a/b', 'A/*'],
  ['/**/b/*'],
  ['/3*/**'],
  ['ab/**', '*.txt'],
  ['a/*/**'],
  ['\u00e9', '\u{1f600}', '\u65e5*'],
  ['*'],
];

test.skipIf(lacks('rsync', 'mkfifo'))(
  `${TREES} random pairs of trees: the same decisions as rsync about what is excluded and included`,
  async () => {
    const place = await openPlace();
    const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'svc-globs-'));
    const [src, dst] = [join(root, 's'), join(root, 't')];
    const seen = { copied: 0, deleted: 0, folders_made: 0, folders_removed: 0 };
    try {
      for (const folder of [src, dst]) mkdirSync(folder);
      for (let pair = 0; pair < TREES; pair += 1)
        makeTrees(pair + 50_000, Buffer.from(join(src, String(pair))), Buffer.from(join(dst, String(pair))));
      for (const list of globs) {
        for (const rule of [{ exclude: list }, { include: list }, { include: list, exclude: ['A', 'b/'] }]) {
          const mode = { compare: 'size_mtime', delete: true, ...rule } as const;
          const preview = await call(FA_sync_dir, place, { src, dst, ...plain, ...mode, dry_run: true });
          const theirs = rsyncDecisions(src, dst, mode);
          // An entry of another kind in the way is replaced by rsync, excluded or not; here it is an error.
          const inTheWay = preview.errors
            .filter(([, message]) => /is a folder with content|is not a folder/.test(message))
            .map(([name]) => name);
          const told = (names: readonly string[]): string[] =>
            names.filter((name) => !inTheWay.some((other) => `${name}/`.startsWith(`${other}/`)));
          const label = JSON.stringify(rule);
          expect(told(preview.copied), label).toEqual(told(theirs.copied));
          expect(told(preview.deleted), label).toEqual(told(theirs.deleted));
          if (!('include' in rule)) {
            const made = new Set([...preview.copied, ...preview.folders_made]);
            expect(told(preview.folders_made), label).toEqual(told(theirs.folders_made));
            const removed = (names: readonly string[]): string[] => told(names).filter((name) => !made.has(name));
            expect(removed(preview.folders_removed), label).toEqual(
              // With `-n` it tells of some folders both that they go and that they cannot go.
              removed(theirs.folders_removed).filter((name) => !theirs.errors.includes(name)),
            );
          }
          for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name] += preview[name].length;
        }
      }
      const rule = { ...plain, src, dst, delete: true, max_delete: 1_000_000, exclude: ['A', 'b/', '*.tmp'] };
      const preview = await call(FA_sync_dir, place, { ...rule, dry_run: true });
      expect({ ...(await call(FA_sync_dir, place, rule)), dry_run: true }, 'did what its preview said').toEqual(
        preview,
      );
      for (const [name, count] of Object.entries(seen)) expect(count, `some were ${name}`).toBeGreaterThan(TREES);
    } finally {
      rmSync(root, { recursive: true, force: true });
      await place.close();
    }
  },
  600_000,
);
