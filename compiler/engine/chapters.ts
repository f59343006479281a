import { readdirSync, readFileSync } from 'node:fs';

import { packageFolder } from './own/package-folder.ts';

const folder = new URL('compiler/language/', packageFolder);

/** Names of the chapters of the language reference: `references`, `steps`, … */
export function chapterNames(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => name.slice(0, -'.md'.length))
    .toSorted();
}

/**
 * A chapter as it is written, without what its samples say to the tests; undefined where there is none of that name.
 */
export function chapterText(name: string): string | undefined {
  if (!chapterNames().includes(name)) return undefined;
  return readFileSync(new URL(`${name}.md`, folder), 'utf8').replaceAll(/^```(\w+) .*$/gm, '```$1');
}
