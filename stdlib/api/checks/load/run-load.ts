import { join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { LoadPlan, LoadResult } from '#schemas/types/load.ts';

import { withForm } from './forms.ts';
import { judge, type Thresholds } from './judge.ts';
import { otherEngine } from './other-engine.ts';
import { loadPage } from './page.ts';
import { planOf } from './plan.ts';
import type { FullProfile } from './profile.ts';
import type { LoadRequest } from './sources.ts';
import { jsonLoad } from './write-files.ts';

/** Time (ms) that the process may take beyond its own time. */
const BEYOND_MS = 120_000;

export interface LoadToRun {
  readonly requests: readonly LoadRequest[];
  /** The requests without their logins: these stay in the folder. */
  readonly shown: readonly LoadRequest[];
  readonly profile: FullProfile;
  readonly rows: NonNullable<LoadPlan['rows']>;
}

export interface HowToRun {
  /** Null: the built-in engine. */
  readonly python: string | null;
  readonly thresholds: Thresholds | null;
  /** Folder that stays: what was sent, what was found, and a page of it. */
  readonly folder: string;
  /** Longest time (ms); null: that of the profile and two minutes. */
  readonly limit_ms: number | null;
}

export interface LoadOutcome {
  readonly ok: boolean;
  readonly problems: string[];
  readonly summary: JsonObject;
  readonly returncode: number;
  readonly work_dir: string;
}

type LoadContext = Base & Pick<Ports, 'load' | 'chance' | 'files' | 'processes'>;

/** Runs a load in a process of its own, and judges its figures: what does not hold is in the outcome. */
export async function runLoad(load: LoadToRun, how: HowToRun, ctx: LoadContext): Promise<LoadOutcome> {
  const { folder } = how;
  await write(join(folder, 'load.json'), `${JSON.stringify(jsonLoad(load.shown, load.profile), null, 2)}\n`, ctx);
  const { result, code, output } = await engine(load, how, ctx);
  const problems = result ? judge(result, how.thresholds) : [`the engine ended without a summary: ${output}`];
  if (result) await keep(result, problems, folder, ctx);
  return {
    ok: problems.length === 0,
    problems: [...problems],
    summary: (result ?? {}) as unknown as JsonObject,
    returncode: code,
    work_dir: folder,
  };
}

async function keep(result: LoadResult, problems: readonly string[], folder: string, ctx: Writing): Promise<void> {
  await write(join(folder, 'summary.json'), `${JSON.stringify(result, null, 2)}\n`, ctx);
  await write(join(folder, 'report.html'), loadPage(result, problems), ctx);
}

interface Ended {
  readonly result: LoadResult | undefined;
  readonly code: number;
  readonly output: string;
}

async function engine(load: LoadToRun, how: HowToRun, ctx: LoadContext): Promise<Ended> {
  const { python, folder, limit_ms: limit } = how;
  if (python === null) return await builtIn(load, how, ctx);
  const beyond_ms = limit === null ? BEYOND_MS : limit - load.profile.test_time * 1000;
  return await otherEngine(python, folder, { ...load, beyond_ms }, ctx);
}

async function builtIn(
  { requests: given, profile, rows }: LoadToRun,
  { limit_ms: limit, folder, thresholds }: HowToRun,
  ctx: Base & Pick<Ports, 'load' | 'chance' | 'files'>,
): Promise<Ended> {
  const requests = await Promise.all(given.map(async (request) => await withForm(request, ctx)));
  const seed = Math.floor(ctx.chance.number() * 2 ** 32);
  const plan = planOf(requests, profile, { seed, rows });
  const seconds = plan.model.stages.reduce((sum, stage) => sum + stage.seconds, 0);
  const stopped = async (result: LoadResult): Promise<readonly string[]> => {
    const early = `it was stopped after ${result.seconds.toFixed(1)} of ${seconds} s`;
    // The summary of a stopped step is written all the same: its writes do not hear the stop.
    const { files, durable } = ctx;
    await keep(result, [early, ...judge(result, thresholds)], folder, { files, durable });
    return toldOf(result, `load: ${early}`, folder);
  };
  return await ctx.load.run(plan, { timeout_ms: limit ?? seconds * 1000 + BEYOND_MS, signal: ctx.signal, stopped });
}

function toldOf({ totals, latency_overall: latency }: LoadResult, early: string, folder: string): readonly string[] {
  return [
    `${early}: ${totals.requests} requests, ${totals.requests_per_second} a second, ${totals.failures} failed`,
    `p50 ${latency.p50_ms} ms, p95 ${latency.p95_ms} ms, p99 ${latency.p99_ms} ms, longest ${latency.max_ms} ms`,
    folder,
  ];
}

type Writing = Pick<Ports, 'files'> & Pick<Base, 'durable'> & Partial<Pick<Base, 'signal'>>;

async function write(path: string, text: string, { files, durable, signal }: Writing): Promise<void> {
  await files.write(path, text, { parents: true, durable, ...(signal && { signal }) });
}
