import { resolve } from 'node:path';

import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { loadProgram } from '#compiler/engine/load-program.ts';
import type { Part } from '#compiler/engine/part.ts';
import { givenSettings } from './settings.ts';

/** A compiled program, to be run by the kernel of this process with the functions that were linked with it. */
export async function programPart(path: string, args: ParsedArguments, terminal: Terminal): Promise<Part> {
  const { program, unpin } = await loadProgram(path, terminal.cwd, terminal.cwd);
  const { units } = program.plan;
  // Dependencies come first: the last unit is the file that was compiled.
  const own = units.at(-1);
  return {
    program,
    units,
    listed: new Set(own ? [own.source] : []),
    root: terminal.cwd,
    settings: givenSettings(program.settings, args),
    absent: [],
    release: unpin,
    file: resolve(terminal.cwd, path),
  };
}
