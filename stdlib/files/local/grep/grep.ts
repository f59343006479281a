import { basename } from 'node:path';

import { command } from '#stdlib/command.ts';
import { requireFolder } from '#stdlib/files/kind.ts';
import { isOutOfReach, walk } from '#stdlib/files/walk.ts';

import { matchesGlob } from '../glob.ts';

import { lineMatcher } from './line-matcher.ts';
import { matchingLines } from './matching-lines.ts';
import { shortened } from './shortened.ts';

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  stopped?: true;
}

export const FA_grep = command('FA_grep', async (params, ctx) => {
  const { root, glob, max_matches, max_line_len } = params;
  const { files, signal } = ctx;
  const matcher = lineMatcher(ctx.regex, params);
  await requireFolder(files, root);
  const hits: Hit[] = [];
  for await (const { path, name, kind } of walk(files, root, { signal, skipsUnreadable: true })) {
    if (kind !== 'file' || (glob !== null && !matchesGlob(basename(name), glob))) continue;
    try {
      for await (const { line, text } of matchingLines({ files, signal }, path, matcher)) {
        hits.push({ path, line, text: shortened(text, max_line_len) });
        if (hits.length >= max_matches) break;
      }
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
    const last = hits.at(-1);
    if (hits.length < max_matches || last === undefined) continue;
    last.stopped = true;
    break;
  }
  return hits;
});
