import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import type { Json } from '#schemas/types/json.ts';

import { lacks } from '../../../fixtures/programs.ts';
import { codes, TroubledPlace } from './troubled-place.ts';

const place = TroubledPlace.ofEachTest();

describe('what is no plain file', () => {
  it('holes stay holes in the copy of a tree, and content is equal in any copy', async () => {
    mkdirSync(place.at('tree'));
    writeFileSync(place.at('tree/sparse'), 'start');
    truncateSync(place.at('tree/sparse'), 64 << 20);
    appendFileSync(place.at('tree/sparse'), 'end');
    await place.result('FA_copy_dir', { dir_path: place.at('tree'), target_dir_path: place.at('copy') });
    await place.result('FA_copy_file', { source: place.at('tree/sparse'), target: place.at('single') });
    expect(statSync(place.at('copy/sparse')).blocks * 512).toBeLessThan(1 << 20);
    expect(await place.result('FA_diff_dirs', { left: place.at('tree'), right: place.at('copy') })).toEqual({
      added: [],
      removed: [],
      changed: [],
    });
    expect(await place.result('FA_file_checksum', { path: place.at('single') })).toBe(
      await place.result('FA_file_checksum', { path: place.at('tree/sparse') }),
    );
  }, 30_000);

  it('of a hard link, only the name that is written or removed changes', async () => {
    writeFileSync(place.at('one'), 'text');
    linkSync(place.at('one'), place.at('two'));
    await place.result('FA_sed_replace', { file_path: place.at('one'), pattern: 'text', replacement: 'other' });
    expect([readFileSync(place.at('one'), 'utf8'), readFileSync(place.at('two'), 'utf8')]).toEqual(['other', 'text']);
    linkSync(place.at('two'), place.at('three'));
    await place.result('FA_remove_file', { file_path: place.at('three') });
    expect(readFileSync(place.at('two'), 'utf8')).toBe('text');
  });

  it.skipIf(lacks('mkfifo'))(
    'pipes and sockets are waited for by none, and are told or passed over',
    async () => {
      mkdirSync(place.at('tree'));
      writeFileSync(place.at('tree/file'), 'needle');
      symlinkSync('pipe', place.at('tree/link'));
      execFileSync('mkfifo', [place.at('tree/pipe')]);
      const server = createServer();
      await new Promise<void>((resolve) => void server.listen(place.at('tree/socket'), resolve));
      const steps = await place.records(
        ['FA_file_checksum', { path: place.at('tree/pipe') }],
        ['FA_line_count', { file_path: place.at('tree/socket') }],
        ['FA_copy_file', { source: place.at('tree/pipe'), target: place.at('x') }],
        ['FA_copy_dir', { dir_path: place.at('tree'), target_dir_path: place.at('copy') }],
        ['FA_diff_dirs', { left: place.at('tree'), right: place.at('tree') }],
        ['FA_write_manifest', { root: place.at('tree'), manifest_path: place.at('m.json') }],
        ['FA_csv_read', { path: place.at('tree/link') }],
        ['FA_sed_replace', { file_path: place.at('tree/pipe'), pattern: 'a', replacement: 'b' }],
      );
      server.close();
      expect(codes(steps).filter((code) => code.endsWith('passed'))).toEqual([]);
      expect(await place.result('FA_grep', { root: place.at('tree'), pattern: 'needle' })).toHaveLength(1);
      expect(await place.result('FA_find_duplicates', { root: place.at('tree') })).toEqual([]);
      expect((await place.result('FA_fast_find', { root: place.at('tree'), use_index: false })) as Json[]).toContain(
        place.at('tree/pipe'),
      );
      expect([
        lstatSync(place.at('tree/pipe')).isFIFO(),
        place.names().filter((name) => !name.startsWith('tree')),
      ]).toEqual([true, []]);
    },
    30_000,
  );
});
