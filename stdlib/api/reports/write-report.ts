import type { Base, Ports } from '#runtime/kernel/ports.ts';

import { artifactPath } from './artifact-path.ts';

export type ReportContext = Base & Pick<Ports, 'files' | 'environment'>;

/** Writes a report whole, makes missing folders, and yields its path. */
export async function writeReport(name: string, text: string, ctx: ReportContext): Promise<string> {
  const path = artifactPath(name, ctx);
  await ctx.files.write(path, text, { parents: true, durable: ctx.durable, signal: ctx.signal });
  return path;
}
