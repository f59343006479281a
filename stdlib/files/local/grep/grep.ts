import { commandRaising } from '#stdlib/command.ts';
import { requireFolder } from '#stdlib/files/kind.ts';

import { hitsBelow, type Hit } from './hits-below.ts';
import { lineMatcher } from './line-matcher.ts';

const command = commandRaising('GrepException');

export const FA_grep = command('FA_grep', async (params, ctx) => {
  const { root, glob, max_matches, max_line_len } = params;
  const matcher = lineMatcher(ctx.regex, params);
  await requireFolder(ctx.files, root);
  const hits: (Hit & { stopped?: true })[] = [];
  for await (const hit of hitsBelow(ctx, root, { matcher, glob, longest: max_line_len })) {
    hits.push(hit);
    if (hits.length < max_matches) continue;
    hits[hits.length - 1] = { ...hit, stopped: true };
    break;
  }
  return hits;
});
