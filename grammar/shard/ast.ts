import type { Problem } from '#grammar/language/problem.ts';

/** One of `total` shards, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly total: number;
}

export type ShardProblemKey = 'unexpected' | 'incomplete' | 'no-shards' | 'outside' | 'unreadable';
export type ShardProblem = Problem<ShardProblemKey>;

export interface ParsedShard {
  /** Absent where there is a problem. */
  readonly shard?: Shard;
  readonly problems: readonly ShardProblem[];
}

/** More shards than this are a mistake. */
export const MOST_SHARDS = 1_000_000;
