import { parseEnv } from 'node:util';

import type { Host, Processes } from '#schemas/types/host.ts';

import { fakeClock, type FakeClock } from './memory/clock.ts';
import { memoryFiles } from './memory/files.ts';
import { digestNames, openDigest } from './node/digest/digest.ts';
import { makeMatch } from './node/match.ts';
import { systemError } from './node/system-error.ts';

export interface MemoryHostOptions {
  /** Milliseconds since 1970; 2026-01-02T03:04:05Z by default. */
  readonly now?: number;
  /** Minutes that local time is ahead of UTC; 0 by default. */
  readonly offset?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Stands in for programs; without it none is found. */
  readonly processes?: Processes;
  /** Addresses by name; others have none. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

export interface MemoryHost extends Host {
  readonly clock: FakeClock;
}

/** A machine without programs; `run` may be replaced by a double. */
export const noPrograms: Processes = {
  run: (file) => Promise.reject(noProgram(file)),
  start: (file) => {
    throw noProgram(file);
  },
  adopt: () => ({ kill: () => undefined, release: () => undefined }),
  expect: () => () => undefined,
  settle: () => ({ at: 0, places: {}, marks: {} }),
  find: () => undefined,
  isUnchanged: () => true,
  changedBelow: () => undefined,
};

function noProgram(file: string): Error {
  return systemError('ENOENT', 'no such program', file);
}

/**
 * A host for tests: files in memory, a clock that stands still, chance that repeats itself, no network and no programs.
 */
export function memoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const clock = fakeClock(options.now ?? Date.UTC(2026, 0, 2, 3, 4, 5), options.offset);
  const cwd = options.cwd ?? '/work';
  let drawn = 0;
  // A linear congruence: the same numbers in every run.
  const number = (): number => ((drawn = (drawn * 1_103_515_245 + 12_345) % 2 ** 31), drawn / 2 ** 31);
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(number() * 256));
  return {
    platform: 'linux',
    clock,
    random: {
      number,
      bytes,
      uuid: () =>
        hex(bytes(16))
          .replace(/^(.{12})./, '$14')
          .replace(/^(.{16})./, '$18'),
    },
    files: memoryFiles(cwd, () => clock.now()),
    processes: options.processes ?? noPrograms,
    env: options.env ?? {},
    cwd,
    ...makeMatch(),
    lookup: async (name) => options.names?.[name] ?? noSuchName(name),
    digest: openDigest,
    digests: digestNames(),
    parseEnv: (text) => ({ ...parseEnv(text) }) as Record<string, string>,
  };
}

function noSuchName(name: string): never {
  throw systemError('ENOTFOUND', 'no such name', name);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
