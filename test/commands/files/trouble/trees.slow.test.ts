import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { lacks } from '../../../fixtures/programs.ts';
import { codes, says, TroubledPlace } from './troubled-place.ts';

const place = TroubledPlace.ofEachTest();

describe('trees', () => {
  it('as deep as a path can name, in short half of that: found, searched, recorded, compared, copied, removed', async () => {
    // Temporary names need some room. Each call takes time of the depth, so that all takes time of its square.
    const most = Math.floor((4095 - place.at('copies/').length - 80) / 2);
    const levels = process.env['SVC_TEST_FULL'] ? most : Math.min(most, 1000);
    let path = place.at('deep');
    for (let level = 0; level < levels; level += 1) path += '/d';
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'f'), 'needle\n');
    expect(most).toBeGreaterThan(1900);
    expect(await place.result('FA_fast_find', { root: place.at('deep'), pattern: 'f', use_index: false })).toEqual([
      join(path, 'f'),
    ]);
    expect(await place.result('FA_grep', { root: place.at('deep'), pattern: 'needle' })).toHaveLength(1);
    await place.result('FA_write_manifest', { root: place.at('deep'), manifest_path: place.at('manifest.json') });
    await place.result('FA_copy_dir', { dir_path: place.at('deep'), target_dir_path: place.at('copy') });
    expect(await place.result('FA_diff_dirs', { left: place.at('deep'), right: place.at('copy') })).toEqual({
      added: [],
      removed: [],
      changed: [],
    });
    await place.result('FA_remove_dir_tree', { dir_path: place.at('deep') });
    expect(readdirSync(place.root).sort()).toEqual(['copy', 'manifest.json']);
  }, 60_000);

  it.skipIf(lacks('python3'))(
    'deeper than that, 4,096 levels, fail with words, and leave nothing',
    async () => {
      execFileSync('python3', [
        '-c',
        'import os,sys\nos.chdir(sys.argv[1])\nfor _ in range(4096):\n os.mkdir("d")\n os.chdir("d")',
        place.root,
      ]);
      for (const action of [
        ['FA_fast_find', { root: place.root, use_index: false }],
        ['FA_copy_dir', { dir_path: place.root, target_dir_path: join(place.elsewhere, 'copy') }],
      ] as const) {
        const record = await place.one(action[0], action[1]);
        expect([action[0], record.error?.code, says(record, 'SVC85007')]).toEqual([
          action[0],
          record.error?.code,
          true,
        ]);
      }
      expect(readdirSync(place.elsewhere)).toEqual(['actions.json']);
      execFileSync('rm', ['-rf', place.at('d')]);
    },
    60_000,
  );

  const count = process.env['SVC_TEST_FULL'] ? 200_000 : 30_000;
  it(`${count} files in one folder are listed, found and copied`, async () => {
    // In memory where there is such a folder: it is not the disk that is tried.
    const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : place.root, 'svc-many-'));
    const [many, copy] = [join(folder, 'many'), join(folder, 'copy')];
    try {
      mkdirSync(many);
      for (let index = 0; index < count; index += 1) closeSync(openSync(join(many, `f${index}`), 'w'));
      expect(
        await place.result('FA_fast_find', { root: many, pattern: '*9', limit: 10, use_index: false }),
      ).toHaveLength(10);
      const all = await place.records(
        ['FA_list_dir', { dir_path: many }],
        ['FA_fast_find', { root: many, use_index: false }],
        ['FA_copy_dir', { dir_path: many, target_dir_path: copy }],
      );
      expect(codes(all)).toEqual(['FA_list_dir passed', 'FA_fast_find passed', 'FA_copy_dir passed']);
      expect(readdirSync(copy).length).toBe(count);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
