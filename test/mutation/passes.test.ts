import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Judge } from './passes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'svc-judge-'));
const judge = new Judge({ folder, signal: new AbortController().signal });

const FILES = {
  'package.json': '{ "type": "module" }',
  'vitest.config.ts': "export default { test: { pool: 'forks', isolate: false, include: ['test/*.test.ts'] } };",
  'sound.test.ts': `
    import { writeFileSync } from 'node:fs';
    import { test } from 'vitest';
    test('passes', () => writeFileSync('test/pid', String(process.ppid)));`,
  'wrong.test.ts': `
    import { test } from 'vitest';
    test('fails', () => { throw new Error('as it should'); });`,
  'many.test.ts': `
    import { test } from 'vitest';
    for (const name of ['one', 'two', 'three']) test(name, () => { throw new Error('as it should'); });`,
  'stray.test.ts': `
    import { test } from 'vitest';
    test('passes', () => void Promise.reject(Object.assign(Object.create(null), { kind: 'stray' })));`,
  'dies.test.ts': `
    import { test } from 'vitest';
    test('dies', () => new Promise(() => process.kill(process.pid, 'SIGKILL')));`,
  'late.test.ts': `
    import { test } from 'vitest';
    for (const name of ['first', 'second']) test(name, { timeout: 20 }, () => new Promise(() => {}));
    test('third', { timeout: 600_000 }, () => new Promise(() => {}));`,
  // The process asks its parent for each import, so the parent has heard by then which file is read.
  'never.test.ts': "await import('./imported.ts'); process.kill(process.ppid, 'SIGKILL');",
  'imported.ts': 'export {};',
};

/** Seconds: more than any of these tests takes. */
const PATIENCE = 60;

beforeAll(() => {
  mkdirSync(path.join(folder, 'test'));
  for (const name of ['mutation', 'runner', 'fixtures/programs.ts'])
    cpSync(path.join(root, 'test', name), path.join(folder, 'test', name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, 'test', name), text);
});
afterAll(() => {
  judge.end();
  rmSync(folder, { recursive: true, force: true });
});

describe('the judge of a mutation run', () => {
  it('names the test that failed', async () => {
    const files = ['test/sound.test.ts', 'test/wrong.test.ts'];
    expect(await judge.failed({ files }, PATIENCE)).toEqual([{ file: 'test/wrong.test.ts', test: 'fails' }]);
  });

  it('ends with the first failure where one is enough', async () => {
    const order = { files: ['test/wrong.test.ts', 'test/many.test.ts'] };
    expect(await judge.failed(order, PATIENCE)).toHaveLength(4);
    const [first, ...more] = await judge.failed({ ...order, untilFirst: true }, PATIENCE);
    expect(first).toHaveProperty('test');
    expect(more.filter(({ test }) => test !== undefined)).toEqual([]);
  });

  it('runs tests whose names are more than a pattern holds', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}${'['.repeat(10_000)}`);
    const order = { files: ['test/wrong.test.ts'], tests: ['fails', ...names] };
    expect(await judge.failed(order, PATIENCE)).toEqual([{ file: 'test/wrong.test.ts', test: 'fails' }]);
  });

  it('answers where something without words was thrown outside of all tests', async () => {
    expect(await judge.failed({ files: ['test/stray.test.ts'] }, PATIENCE)).toEqual([]);
  });

  it('names the file in which no test began', async () => {
    const file = 'test/never.test.ts';
    expect(await judge.failed({ files: [file] }, PATIENCE)).toEqual([{ file, isStuck: true }]);
  });

  it('takes a file for stuck of which two tests ran out of time', async () => {
    const file = 'test/late.test.ts';
    expect(await judge.failed({ files: [file] }, PATIENCE)).toEqual([{ file, test: 'second', isStuck: true }]);
  });

  it('names the file with which the worker died: files behind it have not run', async () => {
    const files = ['test/dies.test.ts', 'test/sound.test.ts', 'test/wrong.test.ts'];
    expect(await judge.failed({ files }, PATIENCE)).toContainEqual({ file: 'test/dies.test.ts', isStuck: true });
  });

  it('goes on with a fresh process, and ends, where a process is gone already', async () => {
    const sound = { files: ['test/sound.test.ts'] };
    expect(await judge.failed(sound, PATIENCE)).toEqual([]);
    await killed();
    expect(await judge.failed(sound, PATIENCE)).toEqual([]);
    await killed();
    expect(() => judge.end()).not.toThrow();
  });
});

/** Ends the process of the tests from outside, as a system does that lacks memory. */
async function killed(): Promise<void> {
  const pid = Number(readFileSync(path.join(folder, 'test/pid'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  while (isThere(pid)) await sleep(20);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
