import { resolve } from 'node:path';

import { loadProgram } from '../load-program.ts';
import type { Part } from './part.ts';
import { givenSettings, type RunSettings } from './settings.ts';

/** A compiled program, to be run by the kernel of this process with the functions that were linked with it. */
export async function programPart(path: string, cwd: string, given: RunSettings): Promise<Part> {
  const { program, unpin } = await loadProgram(path, cwd, cwd);
  const { units } = program.plan;
  // Dependencies come first: the last unit is the file that was compiled.
  const own = units.at(-1);
  return {
    program,
    units,
    listed: new Set(own ? [own.source] : []),
    root: cwd,
    settings: givenSettings(program.settings, given),
    absent: [],
    release: unpin,
    file: resolve(cwd, path),
  };
}
