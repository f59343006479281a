import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { root } from '../steps.ts';

const folders = ['schemas', 'grammar', 'compiler', 'runtime', 'stdlib', '.ci/build'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** Changes when a file that a build reads is written, comes or goes. Reads no contents. */
export function inputsStamp(): string {
  const hash = createHash('sha256');
  for (const file of [...files, ...folders.flatMap(filesBelow)]) {
    const { size, mtimeMs } = statSync(path.join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp') && !entry.name.endsWith('.md'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** The stamp that a build in that folder was made with. */
export function stampOf(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, '.stamp'), 'utf8');
  } catch {
    return undefined;
  }
}
