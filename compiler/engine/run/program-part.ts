import { resolve } from 'node:path';

import { loadProgram } from '../load-program.ts';
import type { RunPart } from './part.ts';
import { lastFile, unitsOfFiles } from './parts.ts';
import { givenSettings, type RunSettings } from './settings.ts';

/** A compiled program, to be run by the kernel of this process with the functions that were linked with it. */
export async function programPart(path: string, cwd: string, given: RunSettings): Promise<RunPart> {
  const { program, unpin } = await loadProgram(path, cwd, cwd);
  const { units } = program.plan;
  return {
    program,
    units,
    listed: unitsOfFiles(units, lastFile(units)),
    root: cwd,
    settings: givenSettings(program.settings, given),
    absent: [],
    release: unpin,
    file: resolve(cwd, path),
  };
}
