import { dirname } from 'node:path';

import type { CopyOutcome, FileCopy, Files } from '#schemas/types/host.ts';

import type { NativeOutcome } from './copier.ts';
import { copyWorkload } from './copy-workload.ts';
import { workThrough } from '../threads/workload.ts';
import { about } from '../system-error.ts';
import { mark } from '../write/temporary.ts';
import { syncFolder } from '../write/write-large.ts';

export const copyMany: Files['copyMany'] = async (copies, { durable = false, signal, onBytes } = {}) => {
  signal?.throwIfAborted();
  const workload = copyWorkload({ prefix: `.${mark()}`, durable, umask: process.umask() });
  const tell = (index: number, outcome: NativeOutcome): void => {
    if (outcome === 'copied') onBytes?.(copies[index]?.seen.size ?? 0);
  };
  const outcomes = await workThrough(copies, workload, { signal, tell });
  if (durable) for (const folder of new Set(copies.map(({ to }) => dirname(to)))) syncFolder(folder);
  return outcomes.map((outcome, index) => outcomeOf(outcome, copies[index]));
};

function outcomeOf(outcome: NativeOutcome | undefined, copy: FileCopy | undefined): CopyOutcome {
  if (outcome === undefined) return new Error('a copy was not made');
  if (outcome === 'copied' || outcome === 'changed') return outcome;
  const path = (outcome.reading ? copy?.from : copy?.to) ?? '';
  return about(Object.assign(new Error(outcome.message), { code: outcome.code, path }), path) as Error;
}
