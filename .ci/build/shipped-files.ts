import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';

import { portFacts } from '../../schemas/generated/port-facts.ts';
import { root } from '../steps.ts';

import { licenceFiles } from './notices.ts';

/** Files of packages that are shipped as they are, each a file of its own, by package. */
export const shippedFiles: Readonly<Record<string, readonly string[]>> = Object.assign(
  {},
  ...Object.values(portFacts).map(({ shipped }) => shipped),
);

/** Copies them below `shipped/`, with the texts of their licences. */
export function copyShippedFiles(outdir: string): void {
  for (const [name, files] of Object.entries(shippedFiles)) {
    const home = path.join(root, 'node_modules', name);
    for (const file of [...files, ...licenceFiles(home)]) {
      const target = path.join(outdir, 'shipped', name, file);
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(path.join(home, file), target);
    }
  }
}
