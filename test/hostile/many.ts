import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { main } from '#compiler/cli/main.ts';
import { outgoing } from '#runtime/reporters/outgoing.ts';
import type { Terminal } from '#schemas/types/cli.ts';

import type { Job, JobResult } from './job.ts';

/**
 * The program that runs many command lines in one process, so that hundreds of cases cost one start. Each line of
 * standard input is a job, each line of standard output what came of it.
 */
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await resultOf(JSON.parse(line) as Job))}\n`);
}

async function resultOf({ cwd, words, input }: Job): Promise<JobResult> {
  let [stdout, stderr] = ['', ''];
  const terminal: Terminal = {
    cwd,
    env: { HOME: cwd, PATH: process.env['PATH'], API_TOKEN: process.env['API_TOKEN'] },
    out: (text, form = 'people') => void (stdout += outgoing(text, form)),
    err: (text, form = 'people') => void (stderr += outgoing(text, form)),
    input: () => Promise.resolve(input === undefined ? new Uint8Array() : new Uint8Array(readFileSync(input))),
    lines: async function* () {},
    colours: { out: false, err: false },
    isTerminal: false,
    columns: 80,
  };
  const before = process.cpuUsage();
  const exit = await main(words, terminal);
  const { user, system } = process.cpuUsage(before);
  return { stdout, stderr, exit, ms: Math.round((user + system) / 1000) };
}
