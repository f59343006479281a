import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Json } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { lacks } from '../../fixtures/programs.ts';
import { runActions } from './run-actions.ts';

type Action = readonly [string, Readonly<Record<string, Json>>];

let root = '';
let elsewhere = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-trouble-'));
  elsewhere = mkdtempSync(join(tmpdir(), 'svc-actions-'));
  chmodSync(elsewhere, 0o777);
});
afterEach(() => {
  for (const folder of [root, elsewhere]) rmSync(folder, { recursive: true, force: true });
});
const at = (...names: string[]): string => join(root, ...names);

/** The records of actions, each run whatever became of the one before. */
async function records(...actions: readonly Action[]): Promise<readonly RunRecord[]> {
  const ran = await runActions(elsewhere, actions);
  expect(ran.errors).toEqual([]);
  return ran.records;
}

async function one(...action: Action): Promise<RunRecord> {
  const [record] = await records(action);
  if (record === undefined) throw new Error('nothing was recorded');
  return record;
}

async function result(...action: Action): Promise<Json | undefined> {
  const record = await one(...action);
  expect([action[0], record.error]).toEqual([action[0], undefined]);
  return record.result as Json | undefined;
}

const names = (folder = root): string[] => readdirSync(folder, { recursive: true }).map(String).sort();
const codes = (all: readonly RunRecord[]): string[] =>
  all.map(({ command, error }) => `${command} ${error?.code ?? 'passed'}`);
/** The system's names for the errors that these failures tell. */
const causes: Readonly<Record<string, string>> = {
  SVC85004: 'EACCES',
  SVC85005: 'ENOSPC',
  SVC85006: 'EROFS',
  SVC85007: 'ENAMETOOLONG',
  SVC86409: 'ECHANGED',
};
/** The failure itself, or what it says it came from. */
const says = ({ error }: RunRecord, code: string): boolean =>
  error?.code === code ||
  error?.cause?.code === code ||
  (error?.cause?.message.startsWith(`${causes[code]}:`) ?? false);

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
  const disk = at('disk');
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
  const from = at('from');
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
        const record = await one(...action);
        expect([action[0], record.error?.code, says(record, 'SVC85005')]).toEqual([
          action[0],
          record.error?.code,
          true,
        ]);
        expect(readFileSync(join(disk, 'out'), 'utf8')).toBe('old');
        for (const made of ['tree', 'parts']) rmSync(join(disk, made), { recursive: true, force: true });
        expect(names(disk)).toEqual(['out']);
      }
      // In place: a file that would grow.
      writeFileSync(join(disk, 'grows'), 'a'.repeat(100_000));
      const grown = await one('FA_sed_replace', { file_path: join(disk, 'grows'), pattern: 'a', replacement: 'bbb' });
      expect([grown.error?.code, readFileSync(join(disk, 'grows'), 'utf8').length, names(disk)]).toEqual([
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
        const record = await one(...action);
        expect([action[0], record.error?.code, says(record, 'SVC85006')]).toEqual([
          action[0],
          record.error?.code,
          true,
        ]);
        expect([names(disk), readFileSync(join(disk, 'out'), 'utf8')]).toEqual([['out', 'sub'], 'old']);
      }
    });
  }, 60_000);
});

describe.runIf(process.platform !== 'win32')('permission denied', () => {
  it('each command says so, and leaves what is there', async () => {
    const from = sources();
    const to = at('to');
    mkdirSync(to);
    writeFileSync(join(to, 'out'), 'old');
    writeFileSync(at('secret'), 'x');
    chmodSync(at('secret'), 0o600);
    chmodSync(root, 0o755);
    chmodSync(to, 0o555);
    const reading: readonly Action[] = [
      ['FA_file_checksum', { path: at('secret') }],
      ['FA_line_count', { file_path: at('secret') }],
      ['FA_copy_file', { source: at('secret'), target: join(elsewhere, 'copy') }],
      ['FA_csv_read', { path: at('secret') }],
      ['FA_diff_files', { left: at('secret'), right: at('secret') }],
    ];
    const all = isRoot ? [...writing(from, to), ...reading] : writing(from, to);
    await asNobody(async () => {
      for (const action of all) {
        const record = await one(...action);
        expect([action[0], record.error?.code, says(record, 'SVC85004')]).toEqual([
          action[0],
          record.error?.code,
          true,
        ]);
      }
      expect(await result('FA_grep', { root, pattern: 'x', glob: 'secret' })).toEqual(isRoot ? [] : expect.anything());
    });
    expect([names(to), readFileSync(join(to, 'out'), 'utf8')]).toEqual([['out'], 'old']);
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

describe('a file that changes', () => {
  it.each([
    ['FA_copy_file', () => ({ source: at('log'), target: at('copy') })],
    ['FA_file_checksum', () => ({ path: at('log') })],
    ['FA_copy_dir', () => ({ dir_path: at('logs'), target_dir_path: at('copies') })],
  ] as const)(
    'while %s reads it is told, and leaves no mixture',
    async (name, params) => {
      const file = name === 'FA_copy_dir' ? at('logs', 'log') : at('log');
      mkdirSync(at('logs'));
      writeFileSync(file, '');
      truncateSync(file, name === 'FA_copy_file' ? 40 << 20 : 200 << 20);
      // Holes would be skipped by the copy of a tree.
      if (name === 'FA_copy_dir') writeFileSync(file, Buffer.alloc(200 << 20, 1));
      const timer = setInterval(() => appendFileSync(file, 'more'), 2);
      const record = await one(name, params());
      clearInterval(timer);
      expect([record.error?.code, says(record, 'SVC86409')]).toEqual([record.error?.code, true]);
      expect(record.error?.message).toContain(file);
      expect(names().filter((left) => /copy|tmp|copies\//.test(left))).toEqual([]);
    },
    30_000,
  );

  it('a folder that vanishes on the way is none for those who search, and told by those who must have it', async () => {
    mkdirSync(at('a/b'), { recursive: true });
    for (let index = 0; index < 3000; index += 1) writeFileSync(at('a', `f${index}`), `needle ${index % 7}`);
    for (const [name, params] of [
      ['FA_grep', { root, pattern: 'needle', max_matches: 10_000 }],
      ['FA_find_duplicates', { root }],
      ['FA_fast_find', { root, use_index: false }],
    ] as const) {
      renameSync(at('a'), at('here'));
      const work = one(name, params);
      const timer = setTimeout(() => renameSync(at('here'), join(elsewhere, 'gone')), 30);
      expect([name, (await work).error]).toEqual([name, undefined]);
      clearTimeout(timer);
      renameSync(names().includes('here') ? at('here') : join(elsewhere, 'gone'), at('a'));
    }
  }, 30_000);
});

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
      Buffer.from(`${at('tree')}/`),
      ...[...name].map((character) => (character === '\udce9' ? Buffer.from([0xe9]) : Buffer.from(character))),
    ]);

  beforeEach(() => {
    mkdirSync(at('tree'));
    for (const [index, name] of odd.entries()) writeFileSync(native(name), `needle ${index}\n`);
  });

  it('of any kind are listed, found, searched, hashed, recorded, copied, compared and removed', async () => {
    const sorted = odd.toSorted();
    const base = (paths: Json | undefined): string[] =>
      (paths as string[]).map((path) => path.slice(path.lastIndexOf('/') + 1)).toSorted();
    expect(
      ((await result('FA_list_dir', { dir_path: at('tree') })) as { name: string }[])
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(sorted);
    expect(base(await result('FA_fast_find', { root: at('tree'), use_index: false }))).toEqual(sorted);
    expect(
      base(
        ((await result('FA_grep', { root: at('tree'), pattern: 'needle' })) as { path: string }[]).map(
          ({ path }) => path,
        ),
      ),
    ).toEqual(sorted);
    await result('FA_write_manifest', { root: at('tree'), manifest_path: at('manifest.json') });
    await result('FA_copy_dir', { dir_path: at('tree'), target_dir_path: at('copy') });
    const manifest = await result('FA_verify_manifest', { root: at('copy'), manifest_path: at('manifest.json') });
    expect(manifest).toMatchObject({ ok: true });
    expect(await result('FA_diff_dirs', { left: at('tree'), right: at('copy') })).toEqual({
      added: [],
      removed: [],
      changed: [],
    });
    expect(((await result('FA_find_duplicates', { root })) as Json[]).length).toBe(odd.length);
    // Action files are text, and hold no halves of characters.
    const steps = await records(
      ...odd
        .filter((name) => name !== raw)
        .flatMap((name): Action[] => [
          ['FA_file_checksum', { path: at('tree', name) }],
          ['FA_line_count', { file_path: at('tree', name) }],
          ['FA_copy_file', { source: at('tree', name), target: at('copy', name) }],
          ['FA_sed_replace', { file_path: at('tree', name), pattern: 'needle', replacement: 'thread' }],
          ['FA_remove_file', { file_path: at('tree', name) }],
        ]),
    );
    expect(codes(steps).filter((code) => !code.endsWith('passed'))).toEqual([]);
    expect([readdirSync(at('tree')).length, readdirSync(at('copy')).length]).toEqual([1, odd.length]);
  }, 30_000);

  it('one byte too long for the system, or a path, is told', async () => {
    const path = at('n'.repeat(256));
    expect(
      codes(
        await records(
          ['FA_create_file', { file_path: path }],
          ['FA_copy_file', { source: at('tree', longest), target: path }],
          ['FA_create_dir', { dir_path: path }],
        ),
      ),
    ).toEqual(['FA_create_file SVC85007', 'FA_copy_file SVC85007', 'FA_create_dir SVC85007']);
  });
});

describe('trees', () => {
  it('as deep as a path can name, in short half of that: found, searched, recorded, compared, copied, removed', async () => {
    // Temporary names need some room. Each call takes time of the depth, so that all takes time of its square.
    const most = Math.floor((4095 - at('copies/').length - 80) / 2);
    const levels = process.env['SVC_TEST_FULL'] ? most : Math.min(most, 1000);
    let path = at('deep');
    for (let level = 0; level < levels; level += 1) path += '/d';
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'f'), 'needle\n');
    expect(most).toBeGreaterThan(1900);
    expect(await result('FA_fast_find', { root: at('deep'), pattern: 'f', use_index: false })).toEqual([
      join(path, 'f'),
    ]);
    expect(await result('FA_grep', { root: at('deep'), pattern: 'needle' })).toHaveLength(1);
    await result('FA_write_manifest', { root: at('deep'), manifest_path: at('manifest.json') });
    await result('FA_copy_dir', { dir_path: at('deep'), target_dir_path: at('copy') });
    expect(await result('FA_diff_dirs', { left: at('deep'), right: at('copy') })).toEqual({
      added: [],
      removed: [],
      changed: [],
    });
    await result('FA_remove_dir_tree', { dir_path: at('deep') });
    expect(readdirSync(root).sort()).toEqual(['copy', 'manifest.json']);
  }, 60_000);

  it.skipIf(lacks('python3'))(
    'deeper than that, 4,096 levels, fail with words, and leave nothing',
    async () => {
      execFileSync('python3', [
        '-c',
        'import os,sys\nos.chdir(sys.argv[1])\nfor _ in range(4096):\n os.mkdir("d")\n os.chdir("d")',
        root,
      ]);
      for (const action of [
        ['FA_fast_find', { root, use_index: false }],
        ['FA_copy_dir', { dir_path: root, target_dir_path: join(elsewhere, 'copy') }],
      ] as const) {
        const record = await one(action[0], action[1]);
        expect([action[0], record.error?.code, says(record, 'SVC85007')]).toEqual([
          action[0],
          record.error?.code,
          true,
        ]);
      }
      expect(readdirSync(elsewhere)).toEqual(['actions.json']);
      execFileSync('rm', ['-rf', at('d')]);
    },
    60_000,
  );

  const count = process.env['SVC_TEST_FULL'] ? 200_000 : 30_000;
  it(`${count} files in one folder are listed, found and copied`, async () => {
    // In memory where there is such a folder: it is not the disk that is tried.
    const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : root, 'svc-many-'));
    const [many, copy] = [join(folder, 'many'), join(folder, 'copy')];
    try {
      mkdirSync(many);
      for (let index = 0; index < count; index += 1) closeSync(openSync(join(many, `f${index}`), 'w'));
      expect(await result('FA_fast_find', { root: many, pattern: '*9', limit: 10, use_index: false })).toHaveLength(10);
      const all = await records(
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

describe('what is no plain file', () => {
  it('holes stay holes in the copy of a tree, and content is equal in any copy', async () => {
    mkdirSync(at('tree'));
    writeFileSync(at('tree/sparse'), 'start');
    truncateSync(at('tree/sparse'), 64 << 20);
    appendFileSync(at('tree/sparse'), 'end');
    await result('FA_copy_dir', { dir_path: at('tree'), target_dir_path: at('copy') });
    await result('FA_copy_file', { source: at('tree/sparse'), target: at('single') });
    expect(statSync(at('copy/sparse')).blocks * 512).toBeLessThan(1 << 20);
    expect(await result('FA_diff_dirs', { left: at('tree'), right: at('copy') })).toEqual({
      added: [],
      removed: [],
      changed: [],
    });
    expect(await result('FA_file_checksum', { path: at('single') })).toBe(
      await result('FA_file_checksum', { path: at('tree/sparse') }),
    );
  }, 30_000);

  it('of a hard link, only the name that is written or removed changes', async () => {
    writeFileSync(at('one'), 'text');
    linkSync(at('one'), at('two'));
    await result('FA_sed_replace', { file_path: at('one'), pattern: 'text', replacement: 'other' });
    expect([readFileSync(at('one'), 'utf8'), readFileSync(at('two'), 'utf8')]).toEqual(['other', 'text']);
    linkSync(at('two'), at('three'));
    await result('FA_remove_file', { file_path: at('three') });
    expect(readFileSync(at('two'), 'utf8')).toBe('text');
  });

  it.skipIf(lacks('mkfifo'))(
    'pipes and sockets are waited for by none, and are told or passed over',
    async () => {
      mkdirSync(at('tree'));
      writeFileSync(at('tree/file'), 'needle');
      symlinkSync('pipe', at('tree/link'));
      execFileSync('mkfifo', [at('tree/pipe')]);
      const server = createServer();
      await new Promise<void>((resolve) => void server.listen(at('tree/socket'), resolve));
      const steps = await records(
        ['FA_file_checksum', { path: at('tree/pipe') }],
        ['FA_line_count', { file_path: at('tree/socket') }],
        ['FA_copy_file', { source: at('tree/pipe'), target: at('x') }],
        ['FA_copy_dir', { dir_path: at('tree'), target_dir_path: at('copy') }],
        ['FA_diff_dirs', { left: at('tree'), right: at('tree') }],
        ['FA_write_manifest', { root: at('tree'), manifest_path: at('m.json') }],
        ['FA_csv_read', { path: at('tree/link') }],
        ['FA_sed_replace', { file_path: at('tree/pipe'), pattern: 'a', replacement: 'b' }],
      );
      server.close();
      expect(codes(steps).filter((code) => code.endsWith('passed'))).toEqual([]);
      expect(await result('FA_grep', { root: at('tree'), pattern: 'needle' })).toHaveLength(1);
      expect(await result('FA_find_duplicates', { root: at('tree') })).toEqual([]);
      expect((await result('FA_fast_find', { root: at('tree'), use_index: false })) as Json[]).toContain(
        at('tree/pipe'),
      );
      expect([lstatSync(at('tree/pipe')).isFIFO(), names().filter((name) => !name.startsWith('tree'))]).toEqual([
        true,
        [],
      ]);
    },
    30_000,
  );
});
