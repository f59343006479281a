import type { CompileActions } from '#runtime/kernel/linked.ts';

import { compilerPackage } from './compiler-package.ts';

/** Compiles action lists inside a program, where the package of this project stands beside it. */
export const compileByPackage: CompileActions = {
  list: async (actions, prefix, folders) => (await compilerPackage()).list(actions, prefix, folders),
  files: async (paths, prefix, folders) => (await compilerPackage()).files(paths, prefix, folders),
  check: async (actions, folders) => (await compilerPackage()).check(actions, folders),
};
