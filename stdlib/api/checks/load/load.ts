import { join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';

import { forScripts } from './forms.ts';
import { placeholders, withPlaceholders } from './placeholders.ts';
import { readProfile } from './profile.ts';
import { checkColumns, rowsOf, speaksOfRows } from './rows.ts';
import { runLoad } from './run-load.ts';
import { collectRequests } from './sources.ts';
import { loadFile, ROWS } from './write-files.ts';

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
  const { python, thresholds } = params;
  const folder = join(ctx.folders.cwd, 'svc-load', `load-${ctx.chance.uuid().slice(0, 8)}`);
  const outcome = await runLoad(
    { requests: collected.requests, shown, profile, rows },
    { python, thresholds, folder, limit_ms: null },
    ctx,
  );
  return { ...outcome, skipped: [...collected.skipped], report: outcome.problems.join('; ') };
});
