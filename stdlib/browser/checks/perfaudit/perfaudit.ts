import { dirname, join, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { FileStat } from '#schemas/types/host.ts';
import { isObject } from '#schemas/types/json.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';

const CATEGORIES = {
  performance: 'performance',
  accessibility: 'accessibility',
  best_practices: 'best-practices',
  seo: 'seo',
  pwa: 'pwa',
} as const;
const MISSING = '`npm install -g lighthouse` installs the usual one; `perfaudit_path` names another.';
/** Beginning of what the program says when it fails. */
const LONGEST = 200;
/** Largest report (bytes). */
const LARGEST = 64 * 1024 * 1024;

export const WR_perfaudit_run = command('WR_perfaudit_run', async (params, ctx) => {
  const { url, output_path: wanted, perfaudit_path: program, timeout } = params;
  const path = wanted === null || wanted === '' ? undefined : resolve(ctx.folders.cwd, wanted);
  const folder = path === undefined ? await ctx.files.temporaryDirectory('svc-audit-') : undefined;
  const report = path ?? join(folder ?? '', 'report.json');
  try {
    if (path !== undefined) await ctx.files.makeDirectory(dirname(path), { recursive: true });
    const before = await ctx.files.find(report);
    const ended = await ctx.processes.run(program, argumentsOf(params, report), {
      cwd: ctx.folders.cwd,
      timeout_ms: timeout * 1000,
      signal: ctx.signal,
      limit: 64 * 1024,
    });
    if (ended.timed_out) throw fail.pageAuditTimeout({ program, seconds: timeout });
    if (ended.code !== 0)
      throw refused(program, url, `it ended with status ${ended.code ?? 'of a signal'}: ${said(ended.stderr, ctx)}`);
    const after = await ctx.files.find(report);
    if (!after || isSame(before, after)) throw refused(program, url, 'it wrote no report');
    const raw = await read(report, ctx, (reason) => refused(program, url, reason));
    return { scores: scoresOf(raw), report_path: path ?? null, raw };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw refused(program, url, 'the program was not found', { hint: MISSING, cause: error });
    throw error;
  } finally {
    if (folder !== undefined) await ctx.files.removeTree(folder).catch(() => undefined);
  }
});

export const WR_perfaudit_assert_scores = command('WR_perfaudit_assert_scores', ({ result, thresholds }) => {
  const scores = result.scores as JsonObject;
  const low = Object.entries(thresholds).flatMap(([category, min]) => {
    const value = Object.hasOwn(scores, category) ? (scores[category] ?? null) : null;
    return typeof value === 'number' && value >= min ? [] : [{ category, value, min }];
  });
  if (low.length === 0) return null;
  const told = low.map(
    ({ category, value, min }) =>
      `${category} ${value === null ? 'has no score' : JSON.stringify(value)} (at least ${min})`,
  );
  throw fail.auditScoresLow({
    scores: told.join(', '),
    result: low,
    expected: thresholds,
    actual: scores,
  });
});

function argumentsOf(
  {
    url,
    chrome_flags: flags,
    extra_args: extra,
  }: {
    readonly url: string;
    readonly chrome_flags: readonly string[] | null;
    readonly extra_args: readonly string[] | null;
  },
  report: string,
): string[] {
  return [
    url,
    '--output=json',
    `--output-path=${report}`,
    '--quiet',
    '--no-enable-error-reporting',
    ...(flags && flags.length > 0 ? [`--chrome-flags=${flags.join(' ')}`] : []),
    ...(extra ?? []),
  ];
}

async function read(
  path: string,
  ctx: Base & Pick<Ports, 'files'>,
  refuse: (reason: string) => Error,
): Promise<JsonObject> {
  const parsed = parseJson(new TextDecoder().decode(await ctx.files.readRegular(path, { limit: LARGEST })));
  if ('error' in parsed || !isObject(parsed.json)) throw refuse('its report is no JSON object');
  return parsed.json;
}

type Scores = Record<keyof typeof CATEGORIES, number | null>;

function scoresOf({ categories = null }: JsonObject): Scores {
  const found = Object.entries(CATEGORIES).map(([name, own]) => {
    const category = isObject(categories) ? (categories[own] ?? null) : null;
    const score = isObject(category) ? category['score'] : null;
    return [name, typeof score === 'number' && score >= 0 && score <= 1 ? score : null];
  });
  return Object.fromEntries(found) as Scores;
}

function refused(
  program: string,
  url: string,
  reason: string,
  { hint = '', cause }: { readonly hint?: string; readonly cause?: unknown } = {},
): Error {
  return fail.pageAuditFailed({ program, url, reason, hint, cause });
}

function said(output: Uint8Array, ctx: Base): string {
  return ctx.excerpt(new TextDecoder().decode(output).trim(), LONGEST) || 'it said nothing';
}

/** Whether a file is the one that was there before: an old report says nothing of this page. */
function isSame(before: FileStat | undefined, after: FileStat): boolean {
  return before?.ino === after.ino && before.mtime_ms === after.mtime_ms && before.size === after.size;
}
