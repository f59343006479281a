import { MOST_SHARDS } from './ast.ts';
import type { Shard } from './ast.ts';

/** Reads a well-formed shard text without the grammar; undefined for any other. */
export function scanShard(text: string): Shard | undefined {
  const [, indexText, totalText] = /^\s*([0-9]+)\s*\/\s*([0-9]+)\s*$/.exec(text) ?? [];
  const [index, total] = [Number(indexText), Number(totalText)];
  return index >= 1 && index <= total && total <= MOST_SHARDS ? { index, total } : undefined;
}
