import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { SEVEN_ZIP } from '#runtime/adapters/seven-zip/package.ts';

import { built, root } from '../../../built.ts';
import { makePrograms, projectOf, removeProject } from '../../../emit/make-programs.ts';
import { runAndKill } from '../../../fixtures/run-and-kill.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { rawSevenZip } from './raw-seven-zip.ts';
import { rawTar } from './raw-tar.ts';

const KILLS = process.env['SVC_TEST_FULL'] ? 100 : 8;
/** Whether another kill is due: so many, and more where a busy machine let most of them come too late. */
const isDue = (kill: number): boolean => kill <= KILLS || (hits <= KILLS / 4 && kill <= KILLS * 5);
const MEMBERS = 6;

/** In memory where there is such a place: kills are to hit the work, not a busy disk. */
let near = '';
let project = '';

beforeAll(async () => {
  await built();
  near = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'svc-archive-'));
  const at = (...parts: string[]): string => join(near, ...parts);
  const files = {
    'zip.json': [['FA_zip_dir', { dir_we_want_to_zip: at('in'), zip_name: at('zip', 'o.zip') }]],
    'tar.json': [['FA_create_tar', { source: at('in'), target: at('tar', 'o.tar'), compression: 'zst' }]],
    'unpack.json': [['FA_archive_extract', { source: at('packed'), target: at('unpack') }]],
    'make.json': [
      ['FA_create_tar', { source: at('in'), target: at('made', 'o.xz'), compression: 'xz' }],
      ['FA_create_tar', { source: at('in'), target: at('made', 'o.bz2'), compression: 'bz2' }],
    ],
    'read.json': [
      ['FA_archive_list', { path: at('o.7z') }],
      ['FA_archive_extract', { source: at('o.7z'), target: at('read') }],
      ...['xz', 'bz2'].map((name) => [
        'FA_archive_extract',
        { source: at('made', `o.${name}`), target: at('read', name) },
      ]),
    ],
  };
  project = projectOf(
    Object.fromEntries(Object.entries(files).map(([name, actions]) => [name, JSON.stringify({ actions })])),
  );
  await makePrograms(project, Object.keys(files));
}, 300_000);

afterAll(() => {
  removeProject(project);
  rmSync(near, { recursive: true, force: true });
});

/** Content that says which version it is, in every piece of it. */
const contentOf = (version: number, size = 700_000): Buffer =>
  Buffer.from(`version ${version} of this content, line \n`.repeat(Math.ceil(size / 40)));
const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

function writeSources(version: number, size?: number): void {
  mkdirSync(join(near, 'in'), { recursive: true });
  for (let index = 0; index < MEMBERS; index += 1)
    writeFileSync(join(near, 'in', `${index}.txt`), contentOf(version, size));
}

let hits = 0;

/**
 * Runs a program; with a time given it is killed so long after its temporary file was seen. Yields how long the work
 * went on.
 */
async function run(name: string, folder: string, killAfter?: number): Promise<number> {
  const before = new Set(namesIn(folder));
  const begun = (): boolean => namesIn(folder).some((entry) => entry.startsWith('.') && !before.has(entry));
  const { code, signal, worked } = await runAndKill([`dist/${name}.mjs`], project, begun, killAfter);
  if (killAfter === undefined) expect([code, signal]).toEqual([0, null]);
  if (signal !== null) hits += 1;
  return worked;
}

/** Version that an archive holds, read by a program that is not ours; fails where it is torn or holds two. */
function versionIn(archive: string): number {
  const text = execFileSync(
    'sh',
    ['-c', archive.endsWith('.zip') ? `unzip -p ${archive}` : `zstd -dc < ${archive} | tar -xO`],
    { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const version = Number(/^version (\d+)/.exec(text)?.[1]);
  expect(text === contentOf(version).toString().repeat(MEMBERS), 'a torn archive').toBe(true);
  return version;
}

describe.skipIf(lacks('unzip', 'tar', 'zstd'))(`killed ${KILLS} times without warning`, () => {
  test.each([
    ['zip', 'o.zip'],
    ['tar', 'o.tar'],
  ])(
    '%s leaves the old archive or the new one, and nothing else after the next run',
    async (name, file) => {
      hits = 0;
      const folder = join(near, name);
      const archive = join(folder, file);
      writeSources(0);
      mkdirSync(folder);
      const whole = await run(name, folder);
      let before = versionIn(archive);
      let stayed = 0;
      let last = 0;
      for (let kill = 1; isDue(kill); kill += 1) {
        writeSources((last = kill));
        await run(name, folder, Math.random() * (Number.isNaN(whole) ? 50 : whole));
        const after = versionIn(archive);
        expect([before, kill]).toContain(after);
        if (after === before) stayed += 1;
        before = after;
      }
      await run(name, folder);
      expect([versionIn(archive), readdirSync(folder)]).toEqual([last, [file]]);
      expect([stayed > 0, hits > KILLS / 4]).toEqual([true, true]);
    },
    600_000,
  );

  test('unpacking leaves whole files, old or new, and nothing else after the next run', async () => {
    hits = 0;
    const folder = join(near, 'unpack');
    const pack = (version: number): void =>
      writeFileSync(
        join(near, 'packed'),
        rawTar(Array.from({ length: MEMBERS }, (_, index) => ({ name: `${index}.txt`, content: contentOf(version) }))),
      );
    pack(0);
    const whole = await run('unpack', folder);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      pack(kill);
      await run('unpack', folder, Math.random() * (Number.isNaN(whole) ? 20 : whole));
      for (let index = 0; index < MEMBERS; index += 1) {
        const content = readFileSync(join(folder, `${index}.txt`));
        const version = Number(/^version (\d+)/.exec(content.toString('latin1', 0, 20))?.[1]);
        expect(content.equals(contentOf(version)), `kill ${kill}`).toBe(true);
      }
    }
    await run('unpack', folder);
    expect([...readdirSync(folder)].sort()).toEqual(Array.from({ length: MEMBERS }, (_, index) => `${index}.txt`));
    expect(readFileSync(join(folder, '0.txt')).equals(contentOf(KILLS))).toBe(true);
    expect(hits).toBeGreaterThan(0);
  }, 600_000);
});

describe('a compiled program', () => {
  const outcome = (name: string): { readonly status: number | null; readonly said: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`dist/${name}.mjs`], {
      cwd: project,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };

  beforeEach(() => {
    writeSources(1, 40_000);
    writeFileSync(join(near, 'o.7z'), rawSevenZip([{ name: 'a.txt', content: 'seven' }]));
  });
  afterEach(() => {
    for (const folder of [join(project, 'node_modules'), join(near, 'made'), join(near, 'read')])
      rmSync(folder, { recursive: true, force: true });
  });

  test('names the package that is missing, its version and the command', () => {
    const { status, said } = outcome('make');
    expect(status).toBe(1);
    expect(said).toContain('SVC86004');
    expect(said).toContain(
      `FA_create_tar needs the package "7z-wasm" (${SEVEN_ZIP.version} was tested) for xz, and it is not installed.`,
    );
    expect(namesIn(join(near, 'made'))).toEqual([]);
    expect(outcome('read').said).toContain('FA_archive_list needs the package "7z-wasm"');
  });

  test('packs and unpacks everything with the package beside it, from its own file alone', () => {
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(join(root, 'node_modules/7z-wasm'), join(project, 'node_modules/7z-wasm'));
    for (const name of ['make', 'read'])
      expect(outcome(name)).toMatchObject({ status: 0, said: expect.not.stringContaining('Warning') });
    expect(readFileSync(join(near, 'read/a.txt'), 'utf8')).toBe('seven');
    for (const name of ['xz', 'bz2'])
      expect(readFileSync(join(near, 'read', name, 'in/5.txt')).equals(contentOf(1, 40_000))).toBe(true);
  });
});
