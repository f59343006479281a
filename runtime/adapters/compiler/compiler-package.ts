import type { CompileActions } from '#runtime/kernel/linked.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Compiler } from './port.ts';

type CompilerAround = Pick<PortContext, 'host' | 'release'> & Pick<PortContext['folders'], 'root' | 'here'>;

/** The compiler of the installed package: never part of a program. */
export async function compilerPackage(): Promise<CompileActions> {
  return (await installed()).makeCompileActions();
}

/** Makes the tools for action files of a unit, with the compiler of the installed package. */
export async function compilerTools(): Promise<(around: CompilerAround) => Promise<Compiler>> {
  return (await installed()).openActionTools;
}

async function installed(): Promise<typeof import('svc/actions')> {
  try {
    return await import('svc/actions');
  } catch (cause) {
    throw fail.executorMissing({ cause });
  }
}
