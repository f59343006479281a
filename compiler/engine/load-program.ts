import { randomUUID } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Program } from '#runtime/kernel/program.ts';
import { takeProgram, type CompiledProgram } from '#runtime/program/taken.ts';
import { verify } from '#runtime/program/verify.ts';
import * as fail from '#schemas/generated/failures.ts';

import { PACKAGE, version } from './version.ts';

/** A program, and what ends that its packages are held to where they stood when it was loaded. */
export interface LoadedProgram {
  readonly program: Program;
  readonly unpin: () => void;
}

/**
 * Loads a compiled program to run it below a root. Fails for what svc has not compiled, or another version of it has,
 * and for what was changed since.
 */
export async function loadProgram(path: string, cwd: string, root: string): Promise<LoadedProgram> {
  const file = resolve(cwd, path);
  if (!(await isProgram(file))) throw fail.programNotReadable({ path });
  // A module runs once for each address, and a program hands itself over when it runs.
  const address = `${pathToFileURL(file).href}?${randomUUID()}`;
  let program: CompiledProgram | undefined;
  try {
    program = await takeProgram(() => import(address));
  } catch (cause) {
    throw fail.programNotReadable({ path, cause });
  }
  const own = `${PACKAGE} ${version}`;
  if (!program) throw fail.programNotReadable({ path });
  if (program.generator !== own)
    throw fail.programOfAnotherVersion({ path, generator: program.generator, version: own });
  return { program, unpin: verify(program, dirname(await realpath(file)), root) };
}

/** Programs say in their first lines what they are. */
async function isProgram(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead).toString('utf8').includes('const __svc_text = ');
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
