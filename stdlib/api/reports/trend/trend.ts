import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';

import { collectRecords } from '../../saved-records.ts';
import { artifactPath } from '../artifact-path.ts';
import { writeReport } from '../write-report.ts';
import { defaultPolicy, judge } from './anomaly.ts';
import type { Policy, Verdict } from './anomaly.ts';
import { addRun, addSamples, latestHistories, listRuns, readTrend, withTrend } from './database.ts';
import type { TrendContext } from './database.ts';
import { endpointStats } from './endpoint.ts';
import { trendPage, trendRows } from './page.ts';

const command = commandRaising('APITesterException', ['APIAssertException', 'APIJsonReportException']);

export const AT_record_current_run = command('AT_record_current_run', async ({ db_path }, ctx) => {
  const entries = ctx.requestLog.entries(ctx.step);
  const passed = entries.filter(({ error }) => error === undefined);
  const refused = ctx.requestLog
    .exchanges(ctx.step)
    .failed.filter(({ kind_of_error: kind }) => kind === 'configuration');
  const total = passed.reduce((sum, { elapsed_ms: ms }) => sum + ms, 0);
  const path = artifactPath(db_path, ctx);
  await withTrend(path, ctx, (database) =>
    addRun(database, {
      captured_at: new Date(ctx.clock.now()).toISOString(),
      success_count: passed.length,
      failure_count: entries.length - passed.length + refused.length,
      avg_elapsed: passed.length === 0 ? 0 : total / passed.length / 1000,
    }),
  );
  return path;
});

export const AT_list_trend_rows = command(
  'AT_list_trend_rows',
  async ({ db_path, limit }, ctx) =>
    (await readTrend(artifactPath(db_path, ctx), 'trend_runs', ctx, (database) => listRuns(database, limit))) ?? [],
);

export const AT_record_endpoint_latencies = command('AT_record_endpoint_latencies', async (params, ctx) => {
  const stats = endpointStats(await collectRecords(params.report_paths, ctx), params.templates);
  const run = {
    run_id: ctx.random.uuid(),
    run_label: params.run_label,
    captured_at: new Date(ctx.clock.now()).toISOString(),
  };
  if (stats.length === 0) ctx.requestLog.warn(fail.trendNoTimes({}).message);
  else await withTrend(artifactPath(params.db_path, ctx), ctx, (database) => addSamples(database, run, stats));
  return { run_id: run.run_id, run_label: run.run_label, endpoints: stats.length };
});

export const AT_detect_latency_anomalies = command(
  'AT_detect_latency_anomalies',
  async ({ db_path, policy }, ctx) => await verdicts(artifactPath(db_path, ctx), policyOf(policy), ctx),
);

export const AT_assert_no_latency_anomalies = command('AT_assert_no_latency_anomalies', async (params, ctx) => {
  const policy = policyOf({
    ...params.policy,
    ...(params.metric === undefined ? {} : { metric: params.metric }),
    ...(params.threshold === undefined ? {} : { threshold: params.threshold }),
  });
  const path = artifactPath(params.db_path, ctx);
  const judged = await verdicts(path, policy, ctx);
  if (judged.length === 0) throw fail.trendNothing({ path });
  const slow = judged.filter(({ status }) => status === 'anomaly');
  if (slow.length > 0)
    throw fail.latencyAnomaly({
      count: slow.length,
      total: judged.length,
      findings: slow
        .map(
          ({ endpoint, latest, baseline_median: middle }) =>
            `${endpoint} ${policy.metric} ${latest.toFixed(1)} ms (median ${(middle ?? 0).toFixed(1)} ms)`,
        )
        .join('; '),
      actual: slow.map((verdict) => ({ ...verdict })),
      result: judged,
    });
  return judged;
});

export const AT_generate_trend_report = command('AT_generate_trend_report', async (params, ctx) => {
  const policy = policyOf(params.policy);
  const path = artifactPath(params.db_path, ctx);
  const histories = await readTrend(path, 'trend_endpoint_samples', ctx, (database) =>
    latestHistories(database, policy.metric),
  );
  const rows = trendRows(histories ?? new Map(), policy, params.limit_runs);
  return await writeReport(params.output_path, trendPage(rows, policy), ctx);
});

/** One verdict for each endpoint of the latest run, by name. */
async function verdicts(path: string, policy: Policy, ctx: TrendContext): Promise<Verdict[]> {
  const histories = await readTrend(path, 'trend_endpoint_samples', ctx, (database) =>
    latestHistories(database, policy.metric),
  );
  return [...(histories ?? [])].map(([endpoint, values]) => judge(endpoint, values, policy));
}

/** Fails before any file is opened where the policy contradicts itself. */
function policyOf(given: { readonly [Key in keyof Policy]?: Policy[Key] | undefined } | null): Policy {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  const policy: Policy = { ...defaultPolicy, ...Object.fromEntries(set) };
  if (policy.min_history > policy.window)
    throw fail.trendPolicy({ min_history: policy.min_history, window: policy.window });
  return policy;
}
