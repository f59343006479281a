import { dirname } from 'node:path';

import type { CopyOutcome, FileCopy, Files } from '#schemas/types/host.ts';

import type { NativeOutcome } from './copier.ts';
import { copyInLanes, isOfBytes } from './copy-lanes.ts';
import { about } from './system-error.ts';
import { mark } from './temporary.ts';
import { syncFolder } from './write-large.ts';

export const copyMany: Files['copyMany'] = async (copies, { durable = false, signal, onBytes } = {}) => {
  signal?.throwIfAborted();
  const order = bytesFirst(copies);
  const outcomes: (CopyOutcome | undefined)[] = Array.from(copies, () => undefined);
  const tell = (place: number, outcome: NativeOutcome): void => {
    const index = order?.[place] ?? place;
    outcomes[index] = outcomeOf(outcome, copies[index]);
    if (outcome === 'copied') onBytes?.(copies[index]?.seen.size ?? 0);
  };
  await copyInLanes(order?.map((index) => copies[index] as FileCopy) ?? copies, { prefix: `.${mark()}`, durable, umask: process.umask() }, tell, signal);
  if (durable) for (const folder of new Set(copies.map(({ to }) => dirname(to)))) syncFolder(folder);
  return outcomes.map((outcome) => outcome ?? new Error('a copy was not made'));
};

/** Where some have to come first, the order of all by their indices. */
function bytesFirst(copies: readonly FileCopy[]): readonly number[] | undefined {
  if (!copies.some(isOfBytes)) return undefined;
  const places = copies.map((copy, index) => ({ index, rank: isOfBytes(copy) ? 0 : 1 }));
  return places.sort((one, other) => one.rank - other.rank).map(({ index }) => index);
}

function outcomeOf(outcome: NativeOutcome, copy: FileCopy | undefined): CopyOutcome {
  if (outcome === 'copied' || outcome === 'changed') return outcome;
  const path = (outcome.reading ? copy?.from : copy?.to) ?? '';
  return about(Object.assign(new Error(outcome.message), { code: outcome.code, path }), path) as Error;
}
