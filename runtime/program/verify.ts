import { dirname, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';

import type { CompiledProgram } from './taken.ts';

/**
 * Fails, before anything of a program has run, where it is not what was compiled: its plan was edited, or a package is
 * another than the manifest says. From here on, until the function that is
 * yielded is called, packages are those that were found now. `folder` holds the program.
 */
export function verify(
  { text, hash, packages, modules, plan, pinned }: CompiledProgram,
  folder: string,
  root: string,
): () => void {
  const found = process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
  if (found !== hash) throw fail.planEdited({ found, wanted: hash });
  if (import.meta.withoutForeignCode) return () => undefined;
  const needsPackages =
    Object.keys(packages).length > 0 ||
    plan.units.some((unit) => unit.modules.length > 0 || unit.needs.ports.includes('modules'));
  if (!needsPackages) return () => undefined;
  if (!pinned) throw new Error('the program has packages, and nothing that holds them fast is linked');
  for (const { source, modules: used } of plan.units)
    if (used.length > 0) pinned.findPackages(modules, dirname(join(root, source)));
  return pinned.pinPackages(packages, folder);
}
