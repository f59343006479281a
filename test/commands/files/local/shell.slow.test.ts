import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLine } from '../../../built.ts';
import { session } from '../../session.ts';
import { processesHolding } from './processes-holding.ts';
import { lacks } from '../../../fixtures/programs.ts';

/** Each of these processes holds the mark in its arguments; stubborn ones answer to no signal that can be answered. */
const family = (mark: string): string => `
  trap '' TERM INT
  (trap '' TERM; exec sh -c 'trap "" TERM; while :; do sleep 0.2; done' ${mark}) &
  setsid sh -c 'trap "" TERM; while :; do sleep 0.2; done' ${mark} &
  sh -c 'while :; do sleep 0.2; done' ${mark} &
  echo ready
  while :; do sleep 0.2; done`;

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-shell-slow-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it.skipIf(lacks('sh', 'setsid', 'sleep'))(
  'leaves nothing of a family of processes, stubborn ones and those with a session of their own too',
  async () => {
    const mark = `mark-${process.pid}-${Date.now()}`;
    const begun = performance.now();
    await using unit = await session();
    const ended = await unit.step('FA_run_shell', { command: ['sh', '-c', family(mark), mark], timeout: 0.5 });
    expect(ended.failure?.facts).toMatchObject({ code: 'SVC88012', class: 'transient' });
    expect(ended.failure?.options.result).toMatchObject({ stdout: 'ready\n' });
    expect(await processesHolding(mark)).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(6000);
  },
);

/** A run of one action file, interrupted once the program in it is ready, then again after `pauses`. */
async function interrupted(
  mark: string,
  signal: 'SIGINT' | 'SIGTERM',
  pauses: readonly number[],
): Promise<{ readonly status: number | null; readonly ms: number }> {
  const file = join(root, `${mark}.json`);
  await writeFile(file, JSON.stringify([['FA_run_shell', { command: ['sh', '-c', family(mark), mark] }]]));
  const run = spawn(process.execPath, [...commandLine, 'run', file], {
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((done) => run.on('exit', done));
  for (let waited = 0; (await processesHolding(`${mark}\0`)).length < 4; waited += 50) {
    if (waited > 20_000) throw new Error('the program did not start');
    await new Promise((next) => setTimeout(next, 50));
  }
  const begun = performance.now();
  run.kill(signal);
  for (const pause of pauses) {
    await new Promise((next) => setTimeout(next, pause));
    run.kill(signal);
  }
  return { status: await ended, ms: performance.now() - begun };
}

describe.skipIf(lacks('sh', 'setsid', 'sleep'))('an interrupt', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends the program and all that it started before the run ends',
    async (signal) => {
      const mark = `mark-${process.pid}-${signal}`;
      const { status } = await interrupted(mark, signal, []);
      expect(status).toBe(signal === 'SIGINT' ? 130 : 143);
      expect(await processesHolding(`${mark}\0`)).toEqual([]);
    },
  );

  it('for a second time kills them at once', async () => {
    const mark = `mark-${process.pid}-twice`;
    const { status, ms } = await interrupted(mark, 'SIGINT', [300]);
    expect(status).toBe(130);
    expect(ms).toBeLessThan(1500);
    expect(await processesHolding(`${mark}\0`)).toEqual([]);
  });
});
