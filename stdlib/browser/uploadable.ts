import { resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { fileNotFound } from '#schemas/generated/failures.ts';

/** The absolute path of a regular file that a page may get. */
export async function uploadable(ctx: Base & Pick<Ports, 'files'>, path: string): Promise<string> {
  const whole = resolve(ctx.folders.cwd, path);
  if ((await ctx.files.find(whole))?.kind !== 'file') throw fileNotFound({ path });
  return whole;
}
