import { basename, join, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { command } from '#stdlib/command.ts';

import { outcomeOf } from '#stdlib/browser/recorded-step.ts';
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
  const files = folder === null ? [] : await picturesIn(folder, ctx);
  const chosen = steps.map((step) => pictureOf(step, files));
  const embedded = new Map<string, string>();
  for (const name of new Set(chosen)) {
    if (name === undefined || folder === null) continue;
    const path = join(folder, name);
    const found = await ctx.files.find(path);
    if (found?.kind === 'file' && found.size <= LARGEST)
      embedded.set(name, `data:image/png;base64,${Buffer.from(await ctx.files.read(path)).toString('base64')}`);
  }
  return replayPage({ title, steps, pictures: chosen.map((name) => embedded.get(name ?? '')) });
}

/** The picture that the failure names, else the first one by name that is called `<time>_<command>.png`. */
function pictureOf(step: ReplayStep, files: readonly string[]): string | undefined {
  if (outcomeOf(step) === 'passed') return undefined;
  const named = /\(failure screenshot: ([^\n]+)\)$/.exec(step.program_exception ?? '')?.[1];
  if (named !== undefined && files.includes(basename(named))) return basename(named);
  return files.find((name) => /^[0-9_]+_(.+)\.png$/.exec(name)?.[1] === step.function_name);
}

/** Names of the pictures of a folder, sorted. */
async function picturesIn(folder: string, { files }: Pick<Ports, 'files'>): Promise<readonly string[]> {
  if ((await files.find(folder))?.kind !== 'directory') return [];
  const names = (await files.list(folder)).map(({ name }) => name);
  return names.filter((name) => name.endsWith('.png')).toSorted();
}
