import { appendFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { says, TroubledPlace } from './troubled-place.ts';

const place = TroubledPlace.ofEachTest();

describe('a file that changes', () => {
  it.each([
    ['FA_copy_file', () => ({ source: place.at('log'), target: place.at('copy') })],
    ['FA_file_checksum', () => ({ path: place.at('log') })],
    ['FA_copy_dir', () => ({ dir_path: place.at('logs'), target_dir_path: place.at('copies') })],
  ] as const)(
    'while %s reads it is told, and leaves no mixture',
    async (name, params) => {
      const file = name === 'FA_copy_dir' ? place.at('logs', 'log') : place.at('log');
      mkdirSync(place.at('logs'));
      writeFileSync(file, '');
      truncateSync(file, name === 'FA_copy_file' ? 40 << 20 : 200 << 20);
      // Holes would be skipped by the copy of a tree.
      if (name === 'FA_copy_dir') writeFileSync(file, Buffer.alloc(200 << 20, 1));
      const timer = setInterval(() => appendFileSync(file, 'more'), 2);
      const record = await place.one(name, params());
      clearInterval(timer);
      expect([record.error?.code, says(record, 'SVC86409')]).toEqual([record.error?.code, true]);
      expect(record.error?.message).toContain(file);
      expect(place.names().filter((left) => /copy|tmp|copies\//.test(left))).toEqual([]);
    },
    30_000,
  );

  it('a folder that vanishes on the way is none for those who search, and told by those who must have it', async () => {
    mkdirSync(place.at('a/b'), { recursive: true });
    for (let index = 0; index < 3000; index += 1) writeFileSync(place.at('a', `f${index}`), `needle ${index % 7}`);
    for (const [name, params] of [
      ['FA_grep', { root: place.root, pattern: 'needle', max_matches: 10_000 }],
      ['FA_find_duplicates', { root: place.root }],
      ['FA_fast_find', { root: place.root, use_index: false }],
    ] as const) {
      renameSync(place.at('a'), place.at('here'));
      const work = place.one(name, params);
      const timer = setTimeout(() => renameSync(place.at('here'), join(place.elsewhere, 'gone')), 30);
      expect([name, (await work).error]).toEqual([name, undefined]);
      clearTimeout(timer);
      renameSync(place.names().includes('here') ? place.at('here') : join(place.elsewhere, 'gone'), place.at('a'));
    }
  }, 30_000);
});
