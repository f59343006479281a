import type { TagFilter } from '#grammar/tag-filter/parse.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Unit } from '#schemas/types/plan.ts';
import type { SelectionGiven } from '#schemas/types/service.ts';

import type { Project } from '../project.ts';
import { matrixMiss, tagMiss, type Selection } from './selection.ts';
import { lastFailed } from '../state.ts';

/** Reads a selection from its texts. Fails (wrong use) for filters and shards that cannot be read. */
export async function readSelection(written: SelectionGiven, project: Pick<Project, 'state'>): Promise<Selection> {
  const {
    tags = [],
    exclude_tags: excluded = [],
    grep,
    matrix,
    shard,
    last_failed: again,
    dependencies = true,
  } = written;
  return {
    tags: await readTags(tags),
    excluded: await readTags(excluded),
    withDependencies: dependencies,
    ...(grep !== undefined && { grep }),
    ...(matrix !== undefined && { matrix }),
    ...(shard !== undefined && { shard: await readShard(shard) }),
    ...(again && { lastFailed: await lastFailed(await project.state()) }),
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

/** Fails where nothing was selected because no unit has a tag, a key of a matrix, or a value of one. */
export function failForNames(units: readonly Unit[], { tags, matrix }: Selection): void {
  const tag = tagMiss(units, tags);
  if (tag) throw fail.tagUnknown({ tag: tag.name, known: tag.known.length === 0 ? undefined : quoted(tag.known) });
  const miss = matrixMiss(units, matrix);
  if (miss === undefined) return;
  const { key, value, known } = miss;
  const names = known.length === 0 ? {} : { known: quoted(known) };
  throw value === undefined
    ? fail.matrixKeyUnknown({ key, ...names })
    : fail.matrixValueUnknown({ key, value, ...names });
}

/** Names that one message lists: a matrix has up to a thousand combinations. */
const MOST_NAMES = 20;

function quoted(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  return more > 0 ? `${shown.join(', ')} … (${more} more)` : shown.join(', ');
}
