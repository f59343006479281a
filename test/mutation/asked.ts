import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { afterAll, afterEach, beforeEach, type RunnerTestFile } from 'vitest';

import { digestOf, type FileAsked } from './meetings.ts';
import { setUp, sharedBelow } from './switch.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { asked, told } = sharedBelow(root);
globalThis.askedOfMutants ??= new Set();
setUp(root);

const outside = new Set<number>();
const tests = new Map<string, Set<number>>();
const began = performance.now();

beforeEach(() => {
  for (const one of taken()) outside.add(one);
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') return void taken();
  const own = tests.get(task.fullTestName) ?? new Set();
  for (const one of taken()) own.add(one);
  tests.set(task.fullTestName, own);
});
// oxlint-disable-next-line no-empty-pattern -- the first parameter of a hook must be a pattern
afterAll(({}, { file }) => {
  for (const one of taken()) outside.add(one);
  if (existsSync(told)) appendFileSync(readFileSync(told, 'utf8'), `${JSON.stringify(metIn(file))}\n`);
});

function metIn(file: RunnerTestFile): FileAsked {
  return {
    file: path.relative(root, file.filepath).replaceAll('\\', '/'),
    digest: digestOf(file.filepath),
    duration: (performance.now() - began) / 1000,
    outside: [...outside],
    tests: Object.fromEntries([...tests].map(([name, numbers]) => [name, [...numbers]])),
  };
}

/** Numbers asked for since the last time, by this process and by programs that it started. */
function taken(): readonly number[] {
  const own = [...(globalThis.askedOfMutants ?? [])];
  globalThis.askedOfMutants?.clear();
  if (!existsSync(asked)) return own;
  const lines = readFileSync(asked, 'utf8').split('\n').filter(Boolean).map(Number);
  rmSync(asked, { force: true });
  return [...own, ...lines];
}
