import type { CompileActions } from '#runtime/kernel/program.ts';

import { compilerPackage } from './compiler-package.ts';

/** Compiles action lists inside a program, where the package of this project stands beside it. */
export const compileByPackage: CompileActions = {
  list: async (actions, prefix) => (await compilerPackage()).list(actions, prefix),
  files: async (paths, prefix) => (await compilerPackage()).files(paths, prefix),
  check: async (actions) => (await compilerPackage()).check(actions),
};
