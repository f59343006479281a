import { join, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { command } from '#stdlib/command.ts';

import { replayPage, type ReplayStep } from './replay-page.ts';

/** Largest picture that is put into the page. */
const LARGEST = 8 * 1024 * 1024;

export const WR_build_replay_html = command('WR_build_replay_html', async (params, ctx) => await pageOf(params, ctx));

export const WR_export_replay_studio = command('WR_export_replay_studio', async (params, ctx) => {
  const path = resolve(ctx.folders.cwd, params.output_path);
  const text = await pageOf(params, ctx);
  await ctx.files.write(path, text, { parents: true, durable: ctx.durable, signal: ctx.signal });
  return path;
});

interface Params {
  readonly records: readonly ReplayStep[] | null;
  readonly screenshot_dir: string | null;
  readonly title: string;
}

async function pageOf(
  { records, screenshot_dir: folder, title }: Params,
  ctx: Base & Pick<Ports, 'stepRecord' | 'files'>,
): Promise<string> {
  const steps = records ?? ctx.stepRecord.all();
  const pictures = folder === null ? new Map<string, string>() : await picturesIn(folder, ctx);
  const embedded = new Map<string, string>();
  for (const name of new Set(steps.map(({ function_name }) => function_name ?? ''))) {
    const path = pictures.get(name);
    const found = path === undefined ? undefined : await ctx.files.find(path);
    if (path !== undefined && found?.kind === 'file' && found.size <= LARGEST)
      embedded.set(name, `data:image/png;base64,${Buffer.from(await ctx.files.read(path)).toString('base64')}`);
  }
  return replayPage({ title, steps, pictures: embedded });
}

/** The first file by name for each command, of those called `<time>_<command>.png`. */
async function picturesIn(folder: string, { files }: Pick<Ports, 'files'>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if ((await files.find(folder))?.kind !== 'directory') return found;
  const names = (await files.list(folder)).map(({ name }) => name);
  for (const name of names.toSorted()) {
    const command = /^[0-9_]+_(.+)\.png$/.exec(name)?.[1];
    if (command !== undefined && !found.has(command)) found.set(command, join(folder, name));
  }
  return found;
}
