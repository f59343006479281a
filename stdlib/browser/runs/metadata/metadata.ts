import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { readMeta } from '../action-file.ts';

export const WR_read_metadata = command('WR_read_metadata', ({ path }, ctx) => readMeta(ctx.files, path));

export const WR_filter_paths = command('WR_filter_paths', async ({ paths, include, exclude }, ctx) => {
  const wanted = include === null ? undefined : new Set(include);
  const unwanted = new Set(exclude);
  const kept: string[] = [];
  for (const path of paths) {
    const tags = tagsOf((await readMeta(ctx.files, path))['tags']);
    const isWanted = wanted === undefined || tags.some((tag) => wanted.has(tag));
    if (isWanted && !tags.some((tag) => unwanted.has(tag))) kept.push(path);
  }
  return kept;
});

/** Tags are compared as text: `2024` in YAML is a number. A single one may stand without a list. */
function tagsOf(tags: Json | undefined): readonly string[] {
  const all = Array.isArray(tags) ? tags : [tags];
  return all.flatMap((tag) => (['string', 'number', 'boolean'].includes(typeof tag) ? [String(tag)] : []));
}
