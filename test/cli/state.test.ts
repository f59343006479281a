import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { lastFailed, rememberRun, stateFolder } from '#compiler/engine/state.ts';
import type { RunOutcome, UnitOutcome } from '#runtime/kernel/events.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-state-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };

function outcome(
  files: Readonly<Record<string, UnitOutcome['status']>> | readonly (readonly [string, UnitOutcome['status']])[],
): RunOutcome {
  const entries = Array.isArray(files)
    ? (files as readonly (readonly [string, UnitOutcome['status']])[])
    : Object.entries(files);
  return {
    run: 'r',
    status: 'failed',
    counts,
    duration_ms: 1,
    files: entries.map(([file, status]) => ({ file, status, counts, duration_ms: 1 })),
  };
}

describe("the folder of a project's state", () => {
  test('stands at the root and is ignored by git', async () => {
    const state = await stateFolder(folder, {});
    expect(state).toBe(join(folder, '.svc'));
    expect(readFileSync(join(state, '.gitignore'), 'utf8')).toBe('*\n');
    expect(await stateFolder(folder, {})).toBe(state);
  });

  test("stands in the user's cache where the root cannot be written, one for each root", async () => {
    writeFileSync(join(folder, '.svc'), 'in the way');
    const state = await stateFolder(folder, { XDG_CACHE_HOME: join(folder, 'cache') });
    expect(state.startsWith(join(folder, 'cache', 'svc'))).toBe(true);
    expect(existsSync(state)).toBe(true);
    expect(await stateFolder(folder, { XDG_CACHE_HOME: join(folder, 'cache') })).toBe(state);
  });
});

describe('what is remembered of the last run', () => {
  const failed = async (): Promise<readonly string[]> => [...(await lastFailed(folder))].toSorted();

  test('are files that did not pass, whatever ran before', async () => {
    await rememberRun(folder, outcome({ a: 'failed', b: 'passed', c: 'skipped' }), false);
    expect(await failed()).toEqual(['a', 'c']);
    await rememberRun(folder, outcome({ a: 'passed' }), false);
    expect(await failed()).toEqual(['c']);
  });

  test('keeps what is known of files of which only some steps passed', async () => {
    await rememberRun(folder, outcome({ a: 'failed' }), false);
    await rememberRun(folder, outcome({ a: 'passed', b: 'failed' }), true);
    expect(await failed()).toEqual(['a', 'b']);
  });

  test('a file that failed once of several times has failed', async () => {
    await rememberRun(
      folder,
      outcome([
        ['a', 'failed'],
        ['a', 'passed'],
      ]),
      false,
    );
    expect(await failed()).toEqual(['a']);
  });

  test('a run that was refused changes nothing', async () => {
    await rememberRun(folder, outcome({ a: 'failed' }), false);
    await rememberRun(folder, { ...outcome({}), refused: [] }, false);
    expect(await failed()).toEqual(['a']);
  });

  test('asking before anything ran says so', async () => {
    await expect(lastFailed(folder)).rejects.toThrow('There is no record of a last run');
    writeFileSync(join(folder, 'last-run.json'), 'cut off');
    await expect(lastFailed(folder)).rejects.toThrow('There is no record of a last run');
  });
});
