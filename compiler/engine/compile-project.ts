import { check, compile, plan, type Compilation, type Source } from '#compiler/api.ts';

import type { Project } from './project.ts';

/** Purposes for which sources are compiled; each has its own errors (`svc check` takes what `svc run` refuses). */
export type CompilePurpose = 'check' | 'plan' | 'compile' | 'run';

/** Compiles sources of a project under its configuration. */
export function compileSources(
  purpose: CompilePurpose,
  sources: readonly Source[],
  { compileOptions, host }: Pick<Project, 'compileOptions' | 'host'>,
): Promise<Compilation> {
  if (purpose === 'check') return check(sources, compileOptions, host);
  if (purpose === 'plan') return plan(sources, compileOptions, host);
  return compile(sources, { ...compileOptions, for: purpose }, host);
}
