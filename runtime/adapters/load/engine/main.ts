import { text } from 'node:stream/consumers';

import type { LoadPlan } from '#schemas/types/load.ts';

import { runLoad } from './run-load.ts';

/**
 * The load engine as a program of its own: the plan comes on standard input, the result goes to standard output as one
 * line of JSON, progress to standard error. It ends early, with what it has, when it is asked to.
 */
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
const plan = JSON.parse(await text(process.stdin)) as LoadPlan;
const result = await runLoad(plan, stop.signal, (progress) => process.stderr.write(`${JSON.stringify(progress)}\n`));
process.stdout.write(`${JSON.stringify(result)}\n`);
