import { dirname, join, parse, sep } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { entryAt } from './kind.ts';

/** Number of links that are followed, as on Linux. */
const MOST_LINKS = 40;

/**
 * The absolute path that a path means from a folder, which has no links itself. Part by part, as the system
 * goes: a `..` behind a link leads to the parent of what the link names. Missing parts stay as they are.
 */
export async function resolveLinks(files: Files, from: string, path: string): Promise<string> {
  let current = from;
  let links = 0;
  const open: string[] = [];
  const enter = (text: string): void => {
    const { root } = parse(text);
    if (root !== '') current = root;
    open.push(
      ...text
        .slice(root.length)
        .split(sep === '\\' ? /[\\/]/ : '/')
        .reverse(),
    );
  };
  enter(path);
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      current = dirname(current);
      continue;
    }
    const next = join(current, part);
    if ((await entryAt(files, next))?.kind !== 'symlink') {
      current = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw fail.linkLoop({ path });
    enter(await files.readLink(next));
  }
  return current;
}
