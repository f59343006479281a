import { once } from '#grammar/language/once.ts';

import type { ParsedShard } from './ast.ts';
import { scanShard } from './scan.ts';

export type { ParsedShard, Shard, ShardProblem } from './ast.ts';

/**
 * The door of shard texts: `2/4` is the second of four. The grammar is loaded only to say what is wrong with a text.
 */
const grammar = once(async () => (await import('./parser.ts')).makeShardGrammar());

/** Loads the grammar if the text needs it. */
export async function prepareShard(text: string): Promise<void> {
  if (scanShard(text) === undefined) await grammar.load();
}

/** Reads a shard text. Never throws; without `prepareShard` a problem is `unreadable` instead of exact. */
export function parseShard(text: string): ParsedShard {
  const shard = scanShard(text);
  if (shard !== undefined) return { shard, problems: [] };
  return grammar.loaded?.(text) ?? { problems: [{ key: 'unreadable', from: 0, to: text.length }] };
}
