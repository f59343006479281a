import type { TagFilter } from '#grammar/tag-filter/parse.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments } from '#schemas/types/cli.ts';

import { many, one } from '../options.ts';
import type { Selection } from '#compiler/engine/selection.ts';
import { lastFailed } from '#compiler/engine/state.ts';

const selecting = ['tag', 'exclude-tag', 'grep', 'shard', 'last-failed'] as const;

/** The options of a command line that select, as they were written. */
export function writtenSelection({ options }: ParsedArguments): string {
  return selecting
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name}`)
    .join(' ');
}

/** What the options select. Fails (wrong use) for filters and shards that cannot be read. */
export async function readSelection({ options }: ParsedArguments, state: string): Promise<Selection> {
  const grep = one(options, 'grep');
  const shard = one(options, 'shard');
  return {
    tags: await readTags(many(options, 'tag')),
    excluded: await readTags(many(options, 'exclude-tag')),
    withDependencies: options['no-deps'] !== true,
    ...(grep !== undefined && { grep }),
    ...(shard !== undefined && { shard: await readShard(shard) }),
    ...(options['last-failed'] && { lastFailed: await lastFailed(state) }),
  };
}

const shardProblems = {
  unexpected: 'there is something that does not belong there',
  incomplete: 'it ends too early',
  'no-shards': 'there must be at least one part',
  outside: 'parts are numbered from 1 to the number of parts',
  unreadable: 'it is not of the form index/total',
} as const;

async function readShard(given: string): Promise<NonNullable<Selection['shard']>> {
  const { parseShard, prepareShard } = await import('#grammar/shard/parse.ts');
  await prepareShard(given);
  const { shard, problems } = parseShard(given);
  if (!shard) throw fail.shardNotReadable({ given, reason: shardProblems[problems[0]?.key ?? 'unreadable'] });
  return shard;
}

/** Several `--tag` select what any of them selects. */
async function readTags(given: readonly string[]): Promise<readonly TagFilter[]> {
  if (given.length === 0) return [];
  const { parseTagFilter, prepareTagFilter } = await import('#grammar/tag-filter/parse.ts');
  return Promise.all(
    given.map(async (text) => {
      await prepareTagFilter(text);
      const { filter, problems } = parseTagFilter(text);
      if (!filter) throw fail.tagsNotReadable({ given: text, column: (problems[0]?.from ?? 0) + 1 });
      return filter;
    }),
  );
}
