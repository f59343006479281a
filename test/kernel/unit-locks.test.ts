import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { compile } from '#compiler/api.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { RunEvent, RunOutcome } from '#runtime/kernel/events.ts';
import { start, type Run } from '#runtime/kernel/run.ts';
import { takeLocks } from '#runtime/services/file-locks/take-locks.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-locks-')));
  const steps = [1, 2, 3, 4].map(
    (n) => `  - FA_create_file: { file_path: "${folder}/\${MATRIX.n}-${n}.txt", content: x }`,
  );
  await writeFile(
    join(folder, 'a.yaml'),
    ['meta: { matrix: { n: [1, 2, 3] }, locks: ["stock: north/1"] }', 'actions:', ...steps].join('\n'),
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function begin(event: (event: RunEvent) => void): Promise<Run> {
  const host = nodeHost({ cwd: folder, env: {} });
  const compilation = await compile([{ path: join(folder, 'a.yaml') }], { root: folder }, host);
  expect(compilation.diagnostics).toEqual([]);
  const program = programOfPlan(compilation.seal(), compilation.places(), { gates: {} });
  return start(program, { root: folder, workers: 3, reporters: [{ event }] }, host);
}

/** Units in the order in which their steps ended, neighbours once. */
function turns(ended: readonly string[]): readonly string[] {
  return ended.filter((source, index) => source !== ended[index - 1]);
}

test('units that share a lock run one after another, in one run and in two at once', async () => {
  const ended: string[] = [];
  const note = (run: string) => (event: RunEvent) => {
    if (event.kind === 'step-finished') ended.push(`${run} ${event.step.source}`);
  };
  const runs = [await begin(note('first')), await begin(note('second'))];
  const outcomes: readonly RunOutcome[] = await Promise.all(runs.map(({ outcome }) => outcome));
  expect(outcomes.map(({ status }) => status)).toEqual(['passed', 'passed']);
  expect(turns(ended)).toHaveLength(6);
  expect(await readdir(join(folder, '.svc/locks'))).toEqual([]);
});

test('a run that waits for a lock says so, and can be stopped', async () => {
  const host = nodeHost({ cwd: folder, env: {} });
  const letGo: (() => unknown)[] = [];
  const { signal } = new AbortController();
  await takeLocks(['stock: north/1'], {
    host,
    root: folder,
    signal,
    release: (close) => void letGo.push(close),
    waits: () => undefined,
  });
  const notices: string[] = [];
  const run = await begin((event) => {
    if (event.kind !== 'notice') return;
    notices.push(event.text);
    run.stop('enough');
  });
  const { status, counts } = await run.outcome;
  expect({ status, counts }).toMatchObject({ status: 'failed', counts: { passed: 0, skipped: 12 } });
  expect(notices).toEqual([expect.stringContaining('waits for the lock "stock: north/1" of ')]);
  for (const close of letGo) await close();
});

/** Another process that holds the lock of the files by now. */
async function holder() {
  const fixture = join(import.meta.dirname, '../fixtures/lock-holder.ts');
  const child = spawn(process.execPath, ['--conditions=source', fixture, folder, 'stock: north/1'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test.each(['lets go', 'is killed'] as const)('a run waits for another process until that %s', async (end) => {
  const child = await holder();
  const seen: string[] = [];
  const run = await begin((event) => {
    if (event.kind === 'step-finished') seen.push(event.step.id);
    if (event.kind !== 'notice') return;
    seen.push(event.text);
    if (end === 'lets go') child.stdin.end();
    else child.kill('SIGKILL');
  });
  const { status, counts } = await run.outcome;
  expect({ status, counts }).toMatchObject({ status: 'passed', counts: { passed: 12 } });
  expect(seen[0]).toContain(`process ${child.pid}`);
  expect(await readdir(join(folder, '.svc/locks'))).toEqual([]);
});
