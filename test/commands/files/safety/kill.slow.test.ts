import { createDecipheriv, createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { FA_trash_list, FA_trash_send } from '#stdlib/files/safety/trash/trash.ts';
import { FA_version_list } from '#stdlib/files/safety/version/version.ts';

import { built } from '../../../built.ts';
import { makePrograms, projectOf, removeProject } from '../../../emit/make-programs.ts';
import { runAndKill } from '../../../fixtures/run-and-kill.ts';
import { call, openPlace, type Place } from '../call-here.ts';

const KILLS = process.env['SVC_TEST_FULL'] ? 100 : 8;
/** Whether another kill is due: so many, and more where a busy machine let most of them come too late. */
const isDue = (kill: number, most: number): boolean => kill <= most || (hits <= most / 4 && kill <= most * 10);
const KEY = Buffer.alloc(32, 7);
const VERSIONS = 6;
const ITEMS = 24;
/**
 * In memory where there is such a place: kills are to hit the work, not a busy disk. The trash can `far` is on another
 * file system.
 */
let near = '';
let far = '';
let project = '';
let place: Place;
/** Kills that met the program at work. */
let hits = 0;

const cans = (): readonly string[] => [join(near, 'bin'), join(near, 'Trash'), join(far, 'bin')];

beforeAll(async () => {
  await built();
  place = await openPlace();
  near = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'svc-kill-'));
  far = mkdtempSync(join(tmpdir(), 'svc-kill-'));
  const versions = Array.from({ length: VERSIONS }, () => [
    'FA_version_save',
    { root: join(near, 'versions'), path: join(near, 'file') },
  ]);
  const sends = cans().map((can, number) => [
    `trash${number}.json`,
    JSON.stringify(
      Array.from({ length: ITEMS }, (_, index) => [
        'FA_trash_send',
        { path: join(near, 'in', `item${index}`), trash_dir: can },
      ]),
    ),
  ]);
  const files = {
    'encrypt.json': JSON.stringify({
      actions: [
        [
          'FA_encrypt_file',
          { source: join(near, 'plain'), target: join(near, 'sealed', 'x.enc'), key: KEY.toString('base64') },
        ],
      ],
    }),
    'versions.json': JSON.stringify({ actions: versions }),
    ...(Object.fromEntries(sends) as Record<string, string>),
    ...(Object.fromEntries(
      cans().map((can, number) => [`empty${number}.json`, JSON.stringify([['FA_trash_empty', { trash_dir: can }]])]),
    ) as Record<string, string>),
  };
  project = projectOf(files);
  await makePrograms(project, Object.keys(files));
}, 300_000);

afterAll(async () => {
  await place.close();
  removeProject(project);
  for (const folder of [near, far]) rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs a program; with a time given it is killed so long after the first sign of its work. Yields how long that went
 * on.
 */
async function run(name: string, begun: () => boolean, killAfter?: number): Promise<number> {
  const { code, signal, worked } = await runAndKill([`dist/${name}.mjs`], project, begun, killAfter);
  if (signal === null && killAfter === undefined) expect(code).toBe(0);
  if (signal !== null) hits += 1;
  return worked;
}

/**
 * Kills a program at any moment of a work that takes `whole` ms. Yields how long it takes at most: where the program
 * came to its end before, `whole` was measured while the machine was busier, and later kills would all come too late.
 */
async function killed(name: string, begun: () => boolean, whole: number): Promise<number> {
  const before = hits;
  const worked = await run(name, begun, Math.random() * whole);
  return hits > before || Number.isNaN(worked) ? whole : Math.min(whole, worked);
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
/** Whether a new temporary file is there: one that a killed program has left is no sign of work. */
const isBusy = (folder: string): (() => boolean) => {
  const before = new Set(namesIn(folder));
  return () => namesIn(folder).some((name) => name.startsWith('.') && !before.has(name));
};
const contentOf = (seed: number, size: number): Buffer =>
  Buffer.alloc(size, createHash('sha256').update(String(seed)).digest());

/** The content of an envelope, read by its published layout; throws where it was changed. */
function opened(bytes: Buffer): Buffer {
  const start = 25 + bytes.readUInt32BE(9);
  const decipher = createDecipheriv('aes-256-gcm', KEY, bytes.subarray(13, 25))
    .setAAD(bytes.subarray(25, start))
    .setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(start, -16)), decipher.final()]);
}

beforeEach(() => {
  hits = 0;
});

describe('several processes at once', () => {
  const WORKERS = 4;
  const all = (name: string): Promise<unknown> =>
    Promise.all(Array.from({ length: WORKERS }, () => run(name, () => true)));

  test('never share the number of a version', async () => {
    writeFileSync(join(near, 'file'), contentOf(2, 50_000));
    rmSync(join(near, 'versions'), { recursive: true, force: true });
    await all('versions');
    const versions = await call(FA_version_list, place, { root: join(near, 'versions'), path: join(near, 'file') });
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: WORKERS * VERSIONS }, (_, index) => index + 1),
    );
    expect(namesIn(dirname(versions[0]?.path ?? '')).filter((name) => !/^v\d{6}__\d+$/.test(name))).toEqual([
      'path.json',
    ]);
    rmSync(join(near, 'versions'), { recursive: true, force: true });
  }, 120_000);

  test.each([0, 1, 2])(
    'throw each thing away once (trash can %i)',
    async (number) => {
      for (const folder of [cans()[number] ?? '', join(near, 'in')]) rmSync(folder, { recursive: true, force: true });
      mkdirSync(join(near, 'in'), { recursive: true });
      const items = Array.from({ length: ITEMS }, (_, index) => join(near, 'in', `item${index}`));
      for (const item of items) writeFileSync(item, item);
      // Steps fail for what another one has thrown away; the rest of the list goes on.
      await Promise.all(Array.from({ length: WORKERS }, () => run(`trash${number}`, () => true, 60_000)));
      const can = cans()[number] ?? '';
      const entries = await call(FA_trash_list, place, { trash_dir: can });
      expect(entries.map(({ original, problem }) => [original, problem])).toEqual(
        expect.arrayContaining(items.map((item) => [item, undefined])),
      );
      expect([entries.length, namesIn(join(near, 'in'))]).toEqual([ITEMS, []]);
      for (const { path, original } of entries) expect(readFileSync(path, 'utf8')).toBe(original);
      rmSync(can, { recursive: true, force: true });
    },
    120_000,
  );
});

describe(`killed ${KILLS} times without warning`, () => {
  test('encryption leaves the old file or the new one, and nothing else after the next run', async () => {
    const sealed = join(near, 'sealed');
    const size = 12 * 1024 * 1024;
    const write = (version: number): void => writeFileSync(join(near, 'plain'), contentOf(version, size));
    write(0);
    mkdirSync(sealed);
    let whole = await run('encrypt', isBusy(sealed));
    let before = opened(readFileSync(join(sealed, 'x.enc')));
    let stayed = 0;
    for (let kill = 1; isDue(kill, KILLS); kill += 1) {
      write(kill);
      whole = await killed('encrypt', isBusy(sealed), whole);
      const after = opened(readFileSync(join(sealed, 'x.enc')));
      const isOld = after.equals(before);
      expect(isOld || after.equals(contentOf(kill, size)), `kill ${kill}`).toBe(true);
      if (isOld) stayed += 1;
      before = after;
    }
    expect([stayed > 0, hits > KILLS / 4]).toEqual([true, true]);
    await run('encrypt', isBusy(sealed));
    expect(readdirSync(sealed)).toEqual(['x.enc']);
  }, 600_000);

  test('versions are whole, each with a number of its own, and nothing else after the next run', async () => {
    const path = join(near, 'file');
    const content = contentOf(1, 4 * 1024 * 1024);
    writeFileSync(path, content);
    const folder = join(near, 'versions', createHash('sha256').update(path).digest('hex'));
    let whole = await run('versions', isBusy(folder));
    for (let kill = 1; isDue(kill, KILLS); kill += 1) {
      whole = await killed('versions', isBusy(folder), whole);
      const versions = await call(FA_version_list, place, { root: join(near, 'versions'), path });
      expect(new Set(versions.map(({ version }) => version)).size).toBe(versions.length);
      for (const one of versions.slice(-VERSIONS)) expect(readFileSync(one.path).equals(content), one.path).toBe(true);
    }
    expect(hits).toBeGreaterThan(KILLS / 4);
    const before = namesIn(folder).filter((name) => /^v\d{6}__/.test(name)).length;
    await run('versions', isBusy(folder));
    const left = readdirSync(folder).filter((name) => !/^v\d{6}__\d+$/.test(name));
    // A snapshot that was claimed when its process died is finished by the next.
    expect(namesIn(folder).length - left.length - VERSIONS - before).toBeLessThanOrEqual(1);
    expect(left).toEqual(['path.json']);
  }, 600_000);

  test.each([
    [0, 'of its own'],
    [1, 'of the desktop'],
    [2, 'on another file system'],
  ])(
    'each thing is whole, in its place or in the trash can (%i: one %s), which knows where it came from',
    async (number) => {
      const can = cans()[number] ?? '';
      const items = Array.from({ length: ITEMS }, (_, index) => join(near, 'in', `item${index}`));
      const make = (path: string, index: number): void => {
        if (index % 3 > 0) return writeFileSync(path, contentOf(index, 40_000));
        for (let file = 0; file < 5; file += 1) {
          mkdirSync(join(path, 'sub'), { recursive: true });
          writeFileSync(join(path, 'sub', `${file}`), contentOf(file, 10_000));
        }
      };
      const isWhole = (path: string, index: number): boolean =>
        index % 3 > 0
          ? readFileSync(path).equals(contentOf(index, 40_000))
          : [0, 1, 2, 3, 4].every(
              (file) =>
                existsSync(join(path, 'sub', `${file}`)) &&
                readFileSync(join(path, 'sub', `${file}`)).equals(contentOf(file, 10_000)),
            );
      const workshop = number === 1 ? join(can, 'info') : can;
      const reset = (): void => {
        for (const folder of [can, join(near, 'in')]) rmSync(folder, { recursive: true, force: true });
        mkdirSync(join(near, 'in'), { recursive: true });
        items.forEach(make);
      };
      reset();
      const whole = await run(`trash${number}`, isBusy(workshop));
      for (let kill = 1; isDue(kill, KILLS / 2); kill += 1) {
        reset();
        await run(`trash${number}`, isBusy(workshop), Math.random() * whole);
        const entries = await call(FA_trash_list, place, { trash_dir: can });
        expect(entries.filter(({ problem }) => problem !== undefined)).toEqual([]);
        for (const [index, path] of items.entries()) {
          const entry = entries.find(({ original }) => original === path);
          const places = [path, ...(entry ? [entry.path] : [])].filter((at) => existsSync(at));
          expect(
            places.some((at) => isWhole(at, index)),
            `${path} is whole in ${places.join(' or ')}`,
          ).toBe(true);
        }
      }
      expect(hits).toBeGreaterThan(KILLS / 8);
      rmSync(join(near, 'in'), { recursive: true, force: true });
      mkdirSync(join(near, 'in'), { recursive: true });
      items.forEach(make);
      await run(`trash${number}`, isBusy(workshop));
      const entries = await call(FA_trash_list, place, { trash_dir: can });
      expect(entries.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(readdirSync(workshop).filter((name) => name.startsWith('.'))).toEqual([]);
      const facts = readdirSync(workshop).filter((name) => /\.trash(meta\.json|info)$/.test(name)).length;
      expect(facts).toBe(entries.length);
    },
    600_000,
  );

  test.each([
    [0, 'of its own'],
    [1, 'of the desktop'],
  ])(
    'emptied, a trash can (%i: one %s) lists only what is whole, and is empty after the next run',
    async (number) => {
      const can = cans()[number] ?? '';
      const workshop = number === 1 ? join(can, 'info') : can;
      const fill = async (): Promise<void> => {
        rmSync(can, { recursive: true, force: true });
        for (let item = 0; item < ITEMS; item += 1) {
          const path = join(near, 'in', `item${item}`);
          mkdirSync(path, { recursive: true });
          for (let file = 0; file < 40; file += 1) writeFileSync(join(path, `${file}`), '');
          await call(FA_trash_send, place, { path, trash_dir: can });
        }
      };
      await fill();
      const whole = await run(`empty${number}`, isBusy(workshop));
      for (let kill = 1; isDue(kill, KILLS / 2); kill += 1) {
        await fill();
        await run(`empty${number}`, isBusy(workshop), Math.random() * whole);
        const entries = await call(FA_trash_list, place, { trash_dir: can });
        expect(entries.filter(({ problem }) => problem !== undefined)).toEqual([]);
        for (const { path } of entries) expect(readdirSync(path), path).toHaveLength(40);
        await run(`empty${number}`, () => true);
        expect(
          readdirSync(can, { recursive: true }).filter(
            (name) => !['files', 'info', 'directorysizes'].includes(String(name)),
          ),
        ).toEqual([]);
      }
      expect(hits).toBeGreaterThan(KILLS / 8);
    },
    600_000,
  );
});
