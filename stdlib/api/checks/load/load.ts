import { join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { LoadResult } from '#schemas/types/load.ts';
import { commandRaising } from '#stdlib/command.ts';

import { forScripts, withForm } from './forms.ts';
import { judge } from './judge.ts';
import { otherEngine } from './other-engine.ts';
import { loadPage } from './page.ts';
import { placeholders, withPlaceholders } from './placeholders.ts';
import { planOf } from './plan.ts';
import { readProfile } from './profile.ts';
import type { FullProfile } from './profile.ts';
import { checkColumns, rowsOf, speaksOfRows } from './rows.ts';
import { collectRequests } from './sources.ts';
import type { Collected } from './sources.ts';
import { jsonLoad, loadFile, ROWS } from './write-files.ts';

const command = commandRaising('APITesterException', ['APIAssertException', 'APIJsonReportException']);

export const AT_write_load_test = command('AT_write_load_test', async (params, ctx) => {
  const profile = readProfile(params.profile);
  const whole = await collectRequests(params, ctx, 'open');
  const isScript = /\.(?:m?js|py)$/i.test(params.output_path);
  const collected = isScript ? forScripts(whole) : whole;
  if (collected.requests.length === 0) throw fail.loadNothing({ reason: collected.skipped.slice(0, 5).join('; ') });
  const requests = collected.requests.map(withPlaceholders);
  for (const reason of collected.skipped) ctx.attach({ kind: 'text', name: 'left out', text: reason });
  const wanted = [...placeholders(requests), ...(isScript && speaksOfRows(requests) ? [ROWS] : [])];
  if (wanted.length > 0) ctx.attach({ kind: 'text', name: 'set these in the environment', text: wanted.join('\n') });
  const text = loadFile(params.output_path, requests, profile);
  await ctx.files.write(params.output_path, text, { parents: true, durable: ctx.durable, signal: ctx.signal });
  return params.output_path;
});

/** Time (ms) that the process may take beyond its own time. */
const BEYOND_MS = 120_000;

export const AT_run_load_test = command('AT_run_load_test', async (params, ctx) => {
  const profile = readProfile(params.profile);
  const ofPython = params.python !== null;
  const whole = await collectRequests(params, ctx);
  const collected = ofPython ? forScripts(whole) : whole;
  if (collected.requests.length === 0) throw fail.loadNothing({ reason: collected.skipped.slice(0, 5).join('; ') });
  const rows = params.data === null ? [] : await rowsOf(params.data, ctx);
  checkColumns(collected.requests, rows, params.data);
  // Those that stay in the folder: no login stands in them.
  const open = await collectRequests(params, ctx, 'open');
  const shown = (ofPython ? forScripts(open) : open).requests.map(withPlaceholders);
  const folder = workFolder(ctx);
  await write(join(folder, 'load.json'), `${JSON.stringify(jsonLoad(shown, profile), null, 2)}\n`, ctx);
  const outcome =
    params.python === null
      ? await builtIn(collected, profile, rows, ctx)
      : await otherEngine(
          params.python,
          folder,
          { requests: collected.requests, shown, profile, rows, beyond_ms: BEYOND_MS },
          ctx,
        );
  const { result, code, output } = outcome;
  const problems = result ? judge(result, params.thresholds) : [`the engine ended without a summary: ${output}`];
  if (result) {
    await write(join(folder, 'summary.json'), `${JSON.stringify(result, null, 2)}\n`, ctx);
    await write(join(folder, 'report.html'), loadPage(result, problems), ctx);
  }
  return {
    ok: problems.length === 0,
    problems: [...problems],
    summary: (result ?? {}) as unknown as JsonObject,
    returncode: code,
    work_dir: folder,
    skipped: [...collected.skipped],
    report: problems.join('; '),
  };
});

async function builtIn(
  { requests: given }: Collected,
  profile: FullProfile,
  rows: NonNullable<Parameters<typeof planOf>[2]['rows']>,
  ctx: Base & Pick<Ports, 'load' | 'chance' | 'files'>,
): Promise<{ readonly result: LoadResult | undefined; readonly code: number; readonly output: string }> {
  const requests = await Promise.all(given.map(async (request) => await withForm(request, ctx)));
  const seed = Math.floor(ctx.chance.number() * 2 ** 32);
  const plan = planOf(requests, profile, { seed, rows });
  const seconds = plan.model.stages.reduce((sum, stage) => sum + stage.seconds, 0);
  return await ctx.load.run(plan, { timeout_ms: seconds * 1000 + BEYOND_MS, signal: ctx.signal });
}

/** A new folder that stays: what was sent, what was found, and a page of it. */
function workFolder(ctx: Pick<Ports, 'chance'> & Base): string {
  const name = `load-${ctx.chance.uuid().slice(0, 8)}`;
  return join(ctx.folders.cwd, 'svc-load', name);
}

async function write(path: string, text: string, ctx: Base & Pick<Ports, 'files'>): Promise<void> {
  await ctx.files.write(path, text, { parents: true, durable: ctx.durable, signal: ctx.signal });
}
