import type { CompileActions } from '#runtime/kernel/linked.ts';
import * as fail from '#schemas/generated/failures.ts';

/** The compiler of the installed package: never part of a program. */
export async function compilerPackage(): Promise<CompileActions> {
  try {
    return (await import('svc/actions')).makeCompileActions();
  } catch (cause) {
    throw fail.executorMissing({ cause });
  }
}
