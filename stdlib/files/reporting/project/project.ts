import { basename, join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { command } from '#stdlib/command.ts';

import { starterFiles } from './starter-files.ts';

export const FA_create_project = command('FA_create_project', async ({ project_path, parent_name }, ctx) => {
  if (
    parent_name === '..' ||
    parent_name === '.' ||
    basename(parent_name) !== parent_name ||
    parent_name.includes('\0')
  )
    throw fail.unusableName({ name: parent_name });
  const root = resolve(ctx.folders.cwd, project_path ?? '.', parent_name);
  const files: string[] = [];
  const kept: string[] = [];
  for (const [name, content] of Object.entries(starterFiles)) {
    ctx.signal.throwIfAborted();
    const isNew = await writeNew(ctx.files, join(root, name), content, ctx.durable);
    (isNew ? files : kept).push(name);
  }
  return { root, files, kept };
});

/** Whether it was written: something that stands there, also a link that leads nowhere, stays as it is. */
async function writeNew(files: Files, path: string, content: string, durable: boolean): Promise<boolean> {
  try {
    await files.write(path, content, { parents: true, exclusive: true, durable });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
