import type { ChildProcess, ForkOptions, SpawnOptions } from 'node:child_process';
import { isAbsolute } from 'node:path';

import { systemError } from '../system-error.ts';

/**
 * The only door to the module of Node that starts programs. The program of a name is decided before
 * (`programs.ts`).
 */
export function spawnProgram(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  if (!isAbsolute(file)) throw systemError('ENOENT', 'a program is started by its absolute path', file);
  return childProcesses().spawn(file, args, { ...options, shell: false, windowsHide: true });
}

/** This Node again, with another module of ours and a channel to it. */
export function forkModule(
  module: string,
  args: readonly string[],
  options: Omit<ForkOptions, 'execPath'>,
): ChildProcess {
  return childProcesses().fork(module, args, { ...options, execPath: process.execPath });
}

/** Loaded at the first use: most runs start no program. */
function childProcesses(): typeof import('node:child_process') {
  return process.getBuiltinModule('node:child_process');
}
