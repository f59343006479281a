import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';

import { beforeEach, describe, expect, it } from 'vitest';

import type { Json } from '#schemas/types/json.ts';

import { codes, TroubledPlace, type Action } from './troubled-place.ts';

const place = TroubledPlace.ofEachTest();

describe.runIf(process.platform === 'linux')('names', () => {
  const longest = 'n'.repeat(255);
  const raw = 'caf\udce9';
  const odd = [
    longest,
    raw,
    ' leading',
    'trailing ',
    'new\nline',
    '-dash',
    'quote"s',
    'Case',
    'case',
    'CASE',
    'e\u0301',
    '\u00e9',
    '😀',
    '*',
    '[a]',
    '$HOME',
    '%20',
  ];
  const native = (name: string): Buffer =>
    Buffer.concat([
      Buffer.from(`${place.at('tree')}/`),
      ...[...name].map((character) => (character === '\udce9' ? Buffer.from([0xe9]) : Buffer.from(character))),
    ]);

  beforeEach(() => {
    mkdirSync(place.at('tree'));
    for (const [index, name] of odd.entries()) writeFileSync(native(name), `needle ${index}\n`);
  });

  it('of any kind are listed, found, searched, hashed, recorded, copied, compared and removed', async () => {
    const sorted = odd.toSorted();
    const base = (paths: Json | undefined): string[] =>
      (paths as string[]).map((path) => path.slice(path.lastIndexOf('/') + 1)).toSorted();
    expect(
      ((await place.result('FA_list_dir', { dir_path: place.at('tree') })) as { name: string }[])
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(sorted);
    expect(base(await place.result('FA_fast_find', { root: place.at('tree'), use_index: false }))).toEqual(sorted);
    expect(
      base(
        ((await place.result('FA_grep', { root: place.at('tree'), pattern: 'needle' })) as { path: string }[]).map(
          ({ path }) => path,
        ),
      ),
    ).toEqual(sorted);
    await place.result('FA_write_manifest', { root: place.at('tree'), manifest_path: place.at('manifest.json') });
    await place.result('FA_copy_dir', { dir_path: place.at('tree'), target_dir_path: place.at('copy') });
    const manifest = await place.result('FA_verify_manifest', {
      root: place.at('copy'),
      manifest_path: place.at('manifest.json'),
    });
    expect(manifest).toMatchObject({ ok: true });
    expect(await place.result('FA_diff_dirs', { left: place.at('tree'), right: place.at('copy') })).toEqual({
      added: [],
      removed: [],
      changed: [],
    });
    expect(((await place.result('FA_find_duplicates', { root: place.root })) as Json[]).length).toBe(odd.length);
    // Action files are text, and hold no halves of characters.
    const steps = await place.records(
      ...odd
        .filter((name) => name !== raw)
        .flatMap((name): Action[] => [
          ['FA_file_checksum', { path: place.at('tree', name) }],
          ['FA_line_count', { file_path: place.at('tree', name) }],
          ['FA_copy_file', { source: place.at('tree', name), target: place.at('copy', name) }],
          ['FA_sed_replace', { file_path: place.at('tree', name), pattern: 'needle', replacement: 'thread' }],
          ['FA_remove_file', { file_path: place.at('tree', name) }],
        ]),
    );
    expect(codes(steps).filter((code) => !code.endsWith('passed'))).toEqual([]);
    expect([readdirSync(place.at('tree')).length, readdirSync(place.at('copy')).length]).toEqual([1, odd.length]);
  }, 30_000);

  it('one byte too long for the system, or a path, is told', async () => {
    const path = place.at('n'.repeat(256));
    expect(
      codes(
        await place.records(
          ['FA_create_file', { file_path: path }],
          ['FA_copy_file', { source: place.at('tree', longest), target: path }],
          ['FA_create_dir', { dir_path: path }],
        ),
      ),
    ).toEqual(['FA_create_file SVC85007', 'FA_copy_file SVC85007', 'FA_create_dir SVC85007']);
  });
});
