import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { says, TroubledPlace, type Action } from './troubled-place.ts';

const place = TroubledPlace.ofEachTest();

const isRoot = process.getuid?.() === 0;
const canMount = isRoot && (Boolean(process.env['CI']) || mountsWork());

function mountsWork(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mount-'));
  const works = spawnSync('mount', ['-t', 'tmpfs', 'svc', folder]).status === 0;
  if (works) execFileSync('umount', [folder]);
  else console.warn('no right to mount: full and read-only disks are not tested');
  rmSync(folder, { recursive: true });
  return works;
}

async function mounted(options: string, work: (disk: string) => Promise<void>): Promise<void> {
  const disk = place.at('disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'svc', disk]);
  try {
    await work(disk);
  } finally {
    execFileSync('umount', [disk]);
  }
}

/** Commands that write `to`, each from what stands in `from`. */
const writing = (from: string, to: string): readonly Action[] => [
  ['FA_create_file', { file_path: join(to, 'out'), content: 'x'.repeat(400_000) }],
  ['FA_copy_file', { source: join(from, 'big'), target: join(to, 'out') }],
  ['FA_copy_file', { source: join(from, 'huge'), target: join(to, 'out') }],
  ['FA_copy_dir', { dir_path: join(from, 'tree'), target_dir_path: join(to, 'tree') }],
  ['FA_copy_all_file_to_dir', { source_dir: join(from, 'tree'), target_dir: to }],
  [
    'FA_csv_write',
    {
      path: join(to, 'out'),
      records: Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'a cell of text' })),
    },
  ],
  ['FA_csv_filter', { src: join(from, 'table.csv'), target: join(to, 'out') }],
  ['FA_csv_to_jsonl', { src: join(from, 'table.csv'), target: join(to, 'out') }],
  ['FA_file_merge', { parts: [join(from, 'big'), join(from, 'big')], target_path: join(to, 'out') }],
  ['FA_file_split', { file_path: join(from, 'big'), chunk_size: 250_000, output_dir: join(to, 'parts') }],
  [
    'FA_encoding_convert',
    { file_path: join(from, 'big'), target_path: join(to, 'out'), source_encoding: 'utf-8', target_encoding: 'utf-16' },
  ],
  ['FA_template_render_file', { template_path: join(from, 'big'), output_path: join(to, 'out'), context: {} }],
  ['FA_zip_file', { zip_file_path: join(to, 'out'), file: join(from, 'noise') }],
];

function sources(): string {
  const from = place.at('from');
  mkdirSync(join(from, 'tree'), { recursive: true });
  writeFileSync(join(from, 'big'), 'line of text\n'.repeat(40_000));
  writeFileSync(join(from, 'huge'), Buffer.alloc(9 << 20, 7));
  writeFileSync(join(from, 'noise'), randomBytes(600_000));
  writeFileSync(join(from, 'tree', 'a'), Buffer.alloc(500_000, 1));
  writeFileSync(join(from, 'table.csv'), `name,text\n${'a name,some text of a cell\n'.repeat(20_000)}`);
  return from;
}

describe.runIf(canMount)('a disk', () => {
  it('that is full: each command says so, what was there stays, nothing else is left', async () => {
    const from = sources();
    await mounted('size=256k', async (disk) => {
      writeFileSync(join(disk, 'out'), 'old');
      for (const action of writing(from, disk)) {
        const record = await place.one(...action);
        expect([action[0], record.error?.code, says(record, 'SVC85005')]).toEqual([
          action[0],
          record.error?.code,
          true,
        ]);
        expect(readFileSync(join(disk, 'out'), 'utf8')).toBe('old');
        for (const made of ['tree', 'parts']) rmSync(join(disk, made), { recursive: true, force: true });
        expect(place.names(disk)).toEqual(['out']);
      }
      // In place: a file that would grow.
      writeFileSync(join(disk, 'grows'), 'a'.repeat(100_000));
      const grown = await place.one('FA_sed_replace', {
        file_path: join(disk, 'grows'),
        pattern: 'a',
        replacement: 'bbb',
      });
      expect([grown.error?.code, readFileSync(join(disk, 'grows'), 'utf8').length, place.names(disk)]).toEqual([
        'SVC85005',
        100_000,
        ['grows', 'out'],
      ]);
    });
  }, 60_000);

  it('that is read-only: each command says so', async () => {
    const from = sources();
    await mounted('size=1m', async (disk) => {
      writeFileSync(join(disk, 'out'), 'old');
      mkdirSync(join(disk, 'sub'));
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      const all = [
        ...writing(from, disk),
        ['FA_remove_file', { file_path: join(disk, 'out') }] as const,
        ['FA_remove_dir_tree', { dir_path: join(disk, 'sub') }] as const,
        ['FA_rename_dir', { origin_dir_path: join(from, 'tree'), target_dir: join(disk, 'moved') }] as const,
      ];
      for (const action of all) {
        const record = await place.one(...action);
        expect([action[0], record.error?.code, says(record, 'SVC85006')]).toEqual([
          action[0],
          record.error?.code,
          true,
        ]);
        expect([place.names(disk), readFileSync(join(disk, 'out'), 'utf8')]).toEqual([['out', 'sub'], 'old']);
      }
    });
  }, 60_000);
});

describe.runIf(process.platform !== 'win32')('permission denied', () => {
  it('each command says so, and leaves what is there', async () => {
    const from = sources();
    const to = place.at('to');
    mkdirSync(to);
    writeFileSync(join(to, 'out'), 'old');
    writeFileSync(place.at('secret'), 'x');
    chmodSync(place.at('secret'), 0o600);
    chmodSync(place.root, 0o755);
    chmodSync(to, 0o555);
    const reading: readonly Action[] = [
      ['FA_file_checksum', { path: place.at('secret') }],
      ['FA_line_count', { file_path: place.at('secret') }],
      ['FA_copy_file', { source: place.at('secret'), target: join(place.elsewhere, 'copy') }],
      ['FA_csv_read', { path: place.at('secret') }],
      ['FA_diff_files', { left: place.at('secret'), right: place.at('secret') }],
    ];
    const all = isRoot ? [...writing(from, to), ...reading] : writing(from, to);
    await asNobody(async () => {
      for (const action of all) {
        const record = await place.one(...action);
        expect([action[0], record.error?.code, says(record, 'SVC85004')]).toEqual([
          action[0],
          record.error?.code,
          true,
        ]);
      }
      expect(await place.result('FA_grep', { root: place.root, pattern: 'x', glob: 'secret' })).toEqual(
        isRoot ? [] : expect.anything(),
      );
    });
    expect([place.names(to), readFileSync(join(to, 'out'), 'utf8')]).toEqual([['out'], 'old']);
    chmodSync(to, 0o755);
  }, 60_000);
});

/** With the rights of a user who owns nothing, where this process may do everything. */
async function asNobody(work: () => Promise<void>): Promise<void> {
  if (!isRoot) return work();
  process.setegid?.(65_534);
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
