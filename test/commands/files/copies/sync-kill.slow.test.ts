import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { isTemporary } from '#runtime/hosts/node/write/temporary.ts';

import { built } from '../../../built.ts';
import { makePrograms, projectOf, removeProject } from '../../../emit/make-programs.ts';
import { runAndKill } from '../../../fixtures/run-and-kill.ts';

const KILLS = process.env['SVC_TEST_FULL'] ? 100 : 8;
let project = '';
/** In memory where there is such a place: kills are to hit the work, not a busy disk. */
let folder = '';

beforeAll(async () => {
  await built();
  folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'svc-kill-'));
  project = projectOf({
    'sync.json': JSON.stringify({
      actions: [
        ['FA_sync_dir', { src: join(folder, 'src'), dst: join(folder, 'dst'), delete: true, max_delete: 10_000 }],
      ],
    }),
    'rotate.json': JSON.stringify({
      actions: [
        ['FA_rotate_backups', { directory: join(folder, 'backups'), keep_daily: 30, keep_weekly: 0, keep_monthly: 0 }],
      ],
    }),
  });
  await makePrograms(project, ['sync.json', 'rotate.json']);
}, 300_000);

afterAll(() => {
  removeProject(project);
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs a program to its end, or until it is killed. Yields how long it was at work; where that was too short to be
 * seen, how long it ran.
 */
async function runProgram(name: string, begun: () => boolean = () => true, killAfter?: number): Promise<number> {
  const start = performance.now();
  const { code, signal, worked } = await runAndKill([`dist/${name}.mjs`], project, begun, killAfter);
  if (signal === null) expect(code).toBe(0);
  // A program that was killed says nothing of how long its work takes.
  if (signal !== null && killAfter !== undefined) return Infinity;
  return Number.isNaN(worked) ? performance.now() - start : worked;
}

/**
 * Kills a program at any moment of a work that takes `whole` ms. Yields how long it takes at most: a program that came
 * to its end before was measured while the machine was busier, and later kills would all come too late.
 */
async function killed(name: string, begun: () => boolean, whole: number): Promise<number> {
  return Math.min(whole, await runProgram(name, begun, Math.random() * whole * 0.8));
}

/** So many kills, and more where a busy machine let them come too late. */
function isWanted(kill: number, midway: number): boolean {
  return kill < KILLS || (midway <= KILLS / 5 && kill < KILLS * 5);
}

const FILES = 300;
const contentOf = (index: number, version: number): string => `${version}\n`.repeat(1 + ((index * 7919) % 10_000));

function writeSource(version: number): void {
  const src = join(folder, 'src');
  rmSync(src, { recursive: true, force: true });
  for (let index = 0; index < FILES; index += 1) {
    const path = join(src, `d${index % 20}`, `f${index}`);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, contentOf(index, version));
    utimesSync(path, version * 100, version * 100);
  }
  for (let index = 0; index < 20; index += 1) symlinkSync(`${version}`, join(src, `d${index}`, 'link'));
  mkdirSync(join(src, `only-${version}`));
  writeFileSync(join(src, `only-${version}`, 'f'), String(version));
}

/** Every file and link of the target with its content; each must be one of two versions, whole. */
function look(version: number): { readonly old: number; readonly fresh: number; readonly temporary: number } {
  const found = { old: 0, fresh: 0, temporary: 0 };
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const own = join(path, entry.name);
      if (entry.isDirectory()) visit(own);
      else if (isTemporary(entry.name)) found.temporary += 1;
      else {
        const content = entry.isSymbolicLink() ? readlinkSync(own) : readFileSync(own, 'utf8');
        const whole = (of: number): string =>
          /^f\d+$/.test(entry.name) ? contentOf(Number(entry.name.slice(1)), of) : String(of);
        if (content === whole(version)) found.fresh += 1;
        else if (content === whole(version - 1)) found.old += 1;
        else expect.fail(`${own} is torn`);
      }
    }
  };
  visit(join(folder, 'dst'));
  return found;
}

describe('killed without warning', () => {
  beforeEach(() => {
    for (const name of ['src', 'dst', 'backups']) rmSync(join(folder, name), { recursive: true, force: true });
  });

  test(`FA_sync_dir, ${KILLS} times: each target is old or new, and nothing is left after the next run`, async () => {
    let version = 1_000_000;
    writeSource(version);
    const begun = (): boolean => existsSync(join(folder, 'dst', `only-${version}`));
    let whole = await runProgram('sync', begun);
    let midway = 0;
    let temporaries = 0;
    for (let kill = 0; isWanted(kill, midway); kill += 1) {
      writeSource((version += 1));
      whole = await killed('sync', begun, whole);
      const seen = look(version);
      if (seen.old > 0 && seen.fresh > 0) midway += 1;
      temporaries += seen.temporary;
      await runProgram('sync');
      expect(look(version)).toEqual({ old: 0, fresh: FILES + 21, temporary: 0 });
    }
    console.info(
      `sync: ${midway} of ${KILLS} kills hit the work itself, ${temporaries} temporary files were left by them`,
    );
    expect(midway).toBeGreaterThan(KILLS / 5);
  }, 300_000);

  test(`FA_rotate_backups, ${KILLS} times: what is kept is whole, and the next run ends the work`, async () => {
    const backups = join(folder, 'backups');
    const names = (): string[] => readdirSync(backups);
    const fill = (): void => {
      mkdirSync(backups, { recursive: true });
      for (let index = 0; index < 1000; index += 1) {
        writeFileSync(join(backups, `b${index}`), String(index));
        utimesSync(join(backups, `b${index}`), 1_600_000_000 - index * 3600, 1_600_000_000 - index * 3600);
      }
    };
    fill();
    const begun = (): boolean => !existsSync(join(backups, 'b999'));
    let whole = await runProgram('rotate', begun);
    const kept = names();
    expect(kept).toHaveLength(30);
    let midway = 0;
    for (let kill = 0; isWanted(kill, midway); kill += 1) {
      fill();
      whole = await killed('rotate', begun, whole);
      const left = names();
      if (left.length > 30 && left.length < 1000) midway += 1;
      expect(kept.every((name) => left.includes(name))).toBe(true);
      await runProgram('rotate');
      expect(names().toSorted()).toEqual(kept.toSorted());
      for (const name of kept) expect(readFileSync(join(backups, name), 'utf8')).toBe(name.slice(1));
    }
    console.info(`rotate: ${midway} of ${KILLS} kills hit the work itself`);
    expect(midway).toBeGreaterThan(KILLS / 5);
  }, 300_000);
});
