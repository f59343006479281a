import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

import type { Files, Likeness } from '#schemas/types/host.ts';

import { workThrough, type Workload } from '../threads/workload.ts';
import { READ_AT_ONCE } from './open-at-once.ts';
import { toNative } from '../paths.ts';
import { about } from '../system-error.ts';
import { makeComparer, type NativeGroup, type NativeLikeness } from './comparer.ts';
import { Threads } from '../threads/threads.ts';

/**
 * A link or a pipe that has taken the place of a file is neither followed nor waited for. Windows knows no such flag.
 */
const FLAGS = READ_AT_ONCE | ((constants as Partial<typeof constants>).O_NOFOLLOW ?? 0);

/** Error codes of opening and reading links, pipes, folders and sockets. */
const noFile = new Set(['ELOOP', 'ESPIPE', 'EISDIR', 'ENXIO']);

export const tellApart: Files['tellApart'] = async (groups, { end = Infinity, signal } = {}) => {
  signal?.throwIfAborted();
  const natives = groups.map(({ size, paths }) => ({ size, paths: paths.map(toNative) }));
  const outcomes = await workThrough(natives, workloadUpTo(end), { signal });
  return outcomes.map((outcome, index) =>
    (outcome ?? []).map((likeness, place) => likenessOf(likeness, groups[index]?.paths[place] ?? '')),
  );
};

/** All paths of many groups as one text. */
interface Batch {
  readonly paths: string;
  /** Files of each group, and their size. */
  readonly facts: Float64Array;
  readonly end: number;
  readonly flag: Int32Array;
}

/** Places of all files of the groups that were done; what is no place stands below. */
interface BatchOutcome {
  readonly done: number;
  readonly places: Int32Array;
  readonly others: readonly (readonly [index: number, likeness: NativeLikeness])[];
}

function workloadUpTo(end: number): Workload<NativeGroup, Batch, BatchOutcome, readonly NativeLikeness[]> {
  return {
    work: makeComparer({ closeSync, fstatSync, openSync, readSync }, FLAGS, end),
    pack: (groups, flag) => ({
      paths: groups.map(({ paths }) => paths.join('\0')).join('\0'),
      facts: Float64Array.from(groups.flatMap(({ paths, size }) => [paths.length, size])),
      end,
      flag,
    }),
    unpack,
    threads,
    staysHere: ({ paths }) => paths.some((path) => typeof path !== 'string'),
  };
}

function unpack(
  { done, places, others }: BatchOutcome,
  groups: readonly NativeGroup[],
): readonly (readonly NativeLikeness[])[] {
  const all: NativeLikeness[] = [...places];
  for (const [index, likeness] of others) all[index] = likeness;
  let from = 0;
  return groups.slice(0, done).map(({ paths }) => all.slice(from, (from += paths.length)));
}

const threads = new Threads<Batch, BatchOutcome>(
  () => `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const fs = process.getBuiltinModule('node:fs');
  const makeComparer = ${makeComparer.toString()};
  parentPort.on('message', ({ paths, facts, end, flag }) => {
    const comparer = makeComparer(fs, ${FLAGS}, end);
    const all = paths.split('\\0');
    const places = new Int32Array(all.length);
    const others = [];
    let from = 0;
    let done = 0;
    for (; done * 2 < facts.length && Atomics.load(flag, 0) === 0; done += 1) {
      const [count, size] = [facts[done * 2], facts[done * 2 + 1]];
      const steps = comparer({ size, paths: all.slice(from, from + count) });
      let step = steps.next();
      while (!step.done) step = steps.next();
      for (const [index, likeness] of step.value.entries()) {
        if (typeof likeness === 'number') places[from + index] = likeness;
        else others.push([from + index, likeness]);
      }
      from += count;
    }
    parentPort.postMessage({ done, places: places.subarray(0, from), others });
  });
`,
);

function likenessOf(likeness: NativeLikeness, path: string): Likeness {
  if (typeof likeness !== 'object') return likeness;
  if (noFile.has(likeness.code)) return 'changed';
  return about(Object.assign(new Error(likeness.message), { code: likeness.code, path }), path) as Error;
}
