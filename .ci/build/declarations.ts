import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { root } from '../steps.ts';

/**
 * Leaves of the declarations in `folder` those that the doors (sources, from the root) lead to. The compiler writes one
 * for each module that it looked at, of which most stand behind functions: no user's types reach them. Declarations
 * that were written by hand or generated are copied.
 */
export function keepReachable(folder: string, doors: readonly string[]): void {
  const kept = new Set<string>();
  const open = doors.map((door) => path.join(folder, declarationOf(door)));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    if (!existsSync(file)) copy(file, folder);
    open.push(...importsOf(file, folder));
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(file)) rmSync(file);
  }
}

function copy(file: string, folder: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  copyFileSync(path.join(root, path.relative(folder, file)), file);
}

function importsOf(file: string, folder: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([#.][^'"]+)['"]/g)].map(
    ([, specifier]) => specifier ?? '',
  );
  return specifiers.map((specifier) =>
    specifier.startsWith('#')
      ? path.join(folder, declarationOf(specifier.slice(1)))
      : path.join(path.dirname(file), declarationOf(specifier)),
  );
}

function declarationOf(source: string): string {
  return source.replace(/(?:\.d)?\.ts$/, '.d.ts');
}
