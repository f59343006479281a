import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import type { Files } from '#schemas/types/host.ts';

import { digestLength } from './digest.ts';
import { makeDigester, type DigestJob, type DigestOutcome } from './digester.ts';
import { yieldTurn } from '../threads/yield-turn.ts';
import { READ_AT_ONCE } from '../read/open-at-once.ts';
import { toNative } from '../paths.ts';
import { stream } from '../read/stream.ts';
import { about, systemError } from '../system-error.ts';
import { Threads } from '../threads/threads.ts';
import { whenNeeded } from '../when-needed.ts';

/** Size (bytes) from which files that are read beside others go to a thread of their own. */
const SHARED = 16 * 1024 * 1024;
/**
 * Up to this size a single file is read here, in turns with all else: to start a thread takes as long as to read 40
 * MiB.
 */
const ALONE = 1024 * 1024 * 1024;
/** Larger pieces would hold everything else up. */
const LARGEST_PIECE = 1024 * 1024;

const now = { digests: 0 };

/** Digests a file by calls that block: awaited reads are dearer by a seventh, streams by a third. */
export const digestFile: Files['digest'] = async (
  path,
  algorithm,
  { end = Infinity, chunk = 1 << 20, signal } = {},
) => {
  now.digests += 1;
  try {
    // After this all that were asked for together with this one are counted.
    await yieldTurn(signal);
    const most = now.digests === 1 && chunk <= LARGEST_PIECE ? ALONE : SHARED;
    return await digestOf(
      path,
      { path: toNative(path), algorithm, length: digestLength(algorithm), end, chunk, most },
      signal,
    );
  } finally {
    now.digests -= 1;
  }
};

async function digestOf(path: string, job: DigestJob, signal: AbortSignal | undefined): Promise<string> {
  let outcome = await here(job, signal);
  if (outcome === 'large') outcome = await threads.run({ ...job, most: Infinity }, { signal });
  if (outcome === 'special') return ofStream(path, job, signal);
  if (typeof outcome === 'string') throw systemError('ECHANGED', 'the file changed while it was read', path);
  if ('hex' in outcome) return outcome.hex;
  throw about(Object.assign(new Error(outcome.message), { code: outcome.code, path }), path);
}

const made: { digester?: ReturnType<typeof makeDigester> } = {};

async function here(job: DigestJob, signal: AbortSignal | undefined): Promise<DigestOutcome> {
  const steps = (made.digester ??= makeDigester(
    { closeSync, fstatSync, openSync, readSync },
    READ_AT_ONCE,
    () => whenNeeded.crypto,
  ))(job);
  try {
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) await yieldTurn(signal);
    return step.value;
  } finally {
    // Closes the file where the signal came in the middle.
    steps.return('changed');
  }
}

const threads = new Threads<DigestJob, DigestOutcome>(
  () => `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const digest = (${makeDigester.toString()})(process.getBuiltinModule('node:fs'), ${READ_AT_ONCE}, () => process.getBuiltinModule('node:crypto'));
  parentPort.on('message', (job) => {
    const steps = digest(job);
    let step = steps.next();
    while (!step.done) step = steps.next();
    parentPort.postMessage(step.value);
  });
`,
);

/** Pipes and devices, as their content comes. */
async function ofStream(
  path: string,
  { algorithm, length, end, chunk }: DigestJob,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { createHash } = whenNeeded.crypto;
  const hash = length === undefined ? createHash(algorithm) : createHash(algorithm, { outputLength: length });
  for await (const piece of stream(path, { end, chunk, ...(signal && { signal }) })) hash.update(piece);
  return hash.digest('hex');
}
