import { join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Latency, LoadResult } from '#schemas/types/load.ts';

import { loadFile, locustTasks } from './write-files.ts';
import { modelOf } from './profile.ts';
import type { FullProfile } from './profile.ts';
import type { LoadRequest } from './sources.ts';

/**
 * Begins Locust as `-m locust` does, with tasks and rows from the standard input: their logins stand in no file and on
 * no command line.
 */
const BEGIN = `import json, runpy, sys
given = json.load(sys.stdin)
sys.svc_tasks, sys.svc_rows = given["tasks"], given["rows"]
runpy.run_module("locust", run_name="__main__", alter_sys=True)`;

export interface OtherRun {
  readonly requests: readonly LoadRequest[];
  /** The requests without their logins. */
  readonly shown: readonly LoadRequest[];
  readonly profile: FullProfile;
  /** Values for `{{row.NAME}}`. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly beyond_ms: number;
}

/**
 * Runs Locust, as a module of the given Python, and reads its figures. Only users who wait for answers can be asked of
 * it.
 */
export async function otherEngine(
  python: string,
  folder: string,
  { requests, shown, profile, rows, beyond_ms }: OtherRun,
  ctx: Base & Pick<Ports, 'files' | 'processes'>,
): Promise<{ readonly result: LoadResult | undefined; readonly code: number; readonly output: string }> {
  ctx.require('shell', python);
  if (modelOf(profile).kind === 'open' || profile.stages)
    throw fail.loadProfile({ reason: 'rate and stages are for the built-in engine' });
  const file = join(folder, 'locustfile.py');
  await ctx.files.write(file, loadFile(file, shown, profile), {
    parents: true,
    durable: ctx.durable,
    signal: ctx.signal,
  });
  const started = new Date().toISOString();
  const ended = await ctx.processes.run(
    python,
    ['-c', BEGIN, '--headless', '--only-summary', '-f', file, '--csv', join(folder, 'locust')].concat([
      ...['-u', String(profile.user_count), '-r', String(profile.spawn_rate), '-t', `${profile.test_time}s`],
    ]),
    {
      cwd: folder,
      input: JSON.stringify({ tasks: locustTasks(requests, profile), rows }),
      timeout_ms: profile.test_time * 1000 + beyond_ms,
      limit: 1024 * 1024,
      signal: ctx.signal,
    },
  );
  const stats = join(folder, 'locust_stats.csv');
  const text = (await ctx.files.find(stats)) ? new TextDecoder().decode(await ctx.files.read(stats)) : '';
  return {
    result: readStats(text, started, profile.test_time),
    code: ended.timed_out ? -1 : (ended.code ?? 1),
    output: new TextDecoder().decode(ended.stderr).slice(-2000),
  };
}

/** The row "Aggregated" of the statistics; undefined: there is none. */
function readStats(text: string, started: string, seconds: number): LoadResult | undefined {
  const [head = '', ...lines] = text.split(/\r?\n/);
  const names = head.split(',');
  const cells = lines.map((line) => line.split(',')).find((row) => row[1] === 'Aggregated');
  if (!cells) return undefined;
  const value = (name: string): number => Number(cells[names.indexOf(name)] ?? 0) || 0;
  const [requests, failures] = [value('Request Count'), value('Failure Count')];
  const latency: Latency = {
    min_ms: value('Min Response Time'),
    mean_ms: value('Average Response Time'),
    p50_ms: value('50%'),
    p90_ms: value('90%'),
    p95_ms: value('95%'),
    p99_ms: value('99%'),
    p999_ms: value('99.9%'),
    max_ms: value('Max Response Time'),
  };
  const histogram = { unit: 'us', digits: 3, count: 0, sum: 0, min: 0, max: 0, buckets: [] } as const;
  return {
    version: 1,
    started_at: started,
    seconds,
    totals: {
      requests,
      failures,
      failure_rate: requests === 0 ? 0 : failures / requests,
      requests_per_second: value('Requests/s'),
      bytes: 0,
    },
    latency_overall: latency,
    service_overall: latency,
    per_endpoint: [],
    timeline: [],
    histogram,
    service_histogram: histogram,
  };
}
