import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { findFiles } from '../find-files.ts';
import type { Mistakes } from '../mistakes.ts';

import type { Family } from './declaration.ts';

/** Files of the functions of implemented commands: command → file from the root. */
export type Implementations = ReadonlyMap<string, string>;

/** Reads which file of `stdlib` exports which command, without running any of them. */
export function findImplementations(root: string, families: readonly Family[], mistakes: Mistakes): Implementations {
  const folders = new Map(
    families.flatMap((family) => family.commands.map(({ name }) => [name, family.folder] as const)),
  );
  const found = new Map<string, string>();
  for (const file of findFiles(
    root,
    'stdlib',
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'),
  )) {
    for (const [exported, called] of exportsOf(readFileSync(join(root, file), 'utf8'))) {
      const folder = folders.get(exported);
      const earlier = found.get(exported);
      if (exported !== called) mistakes.add(file, exported, `is made by command('${called}'): the names must be one`);
      else if (folder === undefined) mistakes.add(file, exported, 'has a function and no declaration');
      else if (!file.startsWith(`${folder}/`))
        mistakes.add(file, exported, `belongs into ${folder}, where it is declared, not beside ${basename(file)}`);
      else if (earlier !== undefined) mistakes.add(file, exported, `is exported by ${earlier} already`);
      else found.set(exported, file);
    }
  }
  return found;
}

function exportsOf(text: string): (readonly [exported: string, called: string])[] {
  return [...text.matchAll(/^export const ((?:WR|AT|FA)_\w+)(?:: [^=]+)? = command\(\s*'(\w+)'/gm)].map(
    ([, exported = '', called = '']) => [exported, called] as const,
  );
}
