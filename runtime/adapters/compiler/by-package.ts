import type { CompileActions } from '#runtime/kernel/linked.ts';

import { compilerPackage } from './compiler-package.ts';

/** Compiles action lists inside a program, where the package of this project stands beside it. */
export const compileByPackage: CompileActions = {
  list: async (actions, prefix, around) => (await compilerPackage()).list(actions, prefix, around),
  files: async (paths, prefix, around) => (await compilerPackage()).files(paths, prefix, around),
  check: async (actions, around) => (await compilerPackage()).check(actions, around),
};
