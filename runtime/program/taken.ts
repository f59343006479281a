import type { HostParts } from '../hosts/node/host-parts.ts';
import type { Program } from '../kernel/program.ts';
import type { Reporters } from '../reporters/names.ts';

import type { PinnedPackages, Wanted } from './pinned-packages.ts';

/** Content of a compiled program: its data and the functions that were linked with it. */
export interface CompiledProgram extends Program {
  /** The package that compiled it, with its version. */
  readonly generator: string;
  /** Canonical JSON of the plan, as it was hashed. */
  readonly text: string;
  /** Packages that its code imports, and packages whose functions the plan calls, with the versions of the manifest. */
  readonly packages: Wanted;
  readonly modules: Wanted;
  /** Present where it has packages: finds them before the first step and holds them fast. */
  readonly pinned?: PinnedPackages;
  /** Parts of the host that its commands and providers can ask for. */
  readonly host: HostParts;
  /** Reporters with which it was compiled. */
  readonly reporters: Reporters;
  /** One function a place of a step, in the order of places: a line to stop at for a debugger. */
  readonly stops?: readonly (((step: unknown, parameters: unknown) => unknown) | undefined)[];
}

/** The same in every copy of this module: a program holds one, the package that loads it another. */
const taker: unique symbol = Symbol.for('svc.program.taker');

interface Taking {
  [taker]?: (program: CompiledProgram) => void;
}

/**
 * Imports a program in such a way that it hands itself over instead of running. Undefined: what was imported is none.
 */
export async function takeProgram(load: () => Promise<unknown>): Promise<CompiledProgram | undefined> {
  let taken: CompiledProgram | undefined;
  const place = globalThis as Taking;
  place[taker] = (program) => void (taken = program);
  try {
    await load();
  } finally {
    delete place[taker];
  }
  return taken;
}

/** Hands a program over to whoever has imported it to run it; false: it runs by itself. */
export function handOver(program: CompiledProgram): boolean {
  const take = (globalThis as Taking)[taker];
  take?.(program);
  return take !== undefined;
}
