import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'vitest';

import { session } from '../../session.ts';

export type Call = readonly [name: string, params: Readonly<Record<string, unknown>>];

/** Runs calls in a process of their own, which is killed without warning once something holds. */
export async function killed(root: string, calls: readonly Call[], when: () => Promise<boolean>): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', resolve('test/commands/files/remote/upload-child.ts'), root, JSON.stringify(calls)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await when())) await sleep(20);
  child.kill('SIGKILL');
  expect((await ended)[1]).toBe('SIGKILL');
}

/** Runs calls in a unit of this process. */
export async function called(root: string, calls: readonly Call[]): Promise<void> {
  await using unit = await session({ root, settings: { gates: { private: true } } });
  for (const [name, params] of calls) await unit.call(name, params);
}
