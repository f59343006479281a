import { counted } from '#grammar/source/counted.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { keepInputs } from '../keep-inputs.ts';
import { count, many, need, number, one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';
import { templatesOf } from './templates-of.ts';

type Metric = 'mean_ms' | 'p50_ms' | 'p95_ms' | 'max_ms';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  switch (args.positional[0]) {
    case 'record':
      return await record(args, terminal);
    case 'check':
      return await check(args, terminal);
    default:
      return await report(args, terminal);
  }
}

async function record(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options } = args;
  const [reports, files, openapi] = [many(options, 'report'), many(options, 'run'), one(options, 'openapi')];
  need(reports.length + files.length > 0, 'trend record', '--report or --run');
  return await runCommand(
    'AT_record_endpoint_latencies',
    {
      db_path: one(options, 'db') ?? '',
      run_label: one(options, 'label') ?? '',
      report_paths: [...reports],
      templates: openapi === undefined ? [] : await templatesOf(openapi, args, terminal),
    },
    (run) => [`run ${run.run_label || run.run_id}: times of ${counted(run.endpoints, 'endpoint')} stored`],
    args,
    terminal,
    { after: files },
  );
}

function check(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const db = one(args.options, 'db') ?? '';
  return runCommand(
    'AT_detect_latency_anomalies',
    { db_path: db, policy: policyOf(args) },
    (verdicts) =>
      verdicts.map((one) => {
        const baseline = one.baseline_median === null ? '–' : `${one.baseline_median} ms`;
        return `[${one.status}] ${one.endpoint}: ${one.latest} ms (baseline ${baseline})`;
      }),
    args,
    terminal,
    {
      holds: (verdicts) => {
        // Without a run a wrong name of the database would pass for a run without anomalies.
        if (verdicts.length === 0) throw fail.trendWithoutRuns({ db });
        return verdicts.every(({ status }) => status !== 'anomaly');
      },
    },
  );
}

function report(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options } = args;
  keepInputs([one(options, 'output')], [one(options, 'db')], terminal.cwd);
  return runCommand(
    'AT_generate_trend_report',
    {
      output_path: one(options, 'output') ?? '',
      db_path: one(options, 'db') ?? '',
      policy: policyOf(args),
      limit_runs: count(options, 'limit-runs'),
    },
    (path) => [path],
    args,
    terminal,
  );
}

function policyOf({ options }: ParsedArguments): {
  readonly metric: Metric;
  readonly window: number;
  readonly min_history: number;
  readonly threshold: number;
  readonly min_increase: number;
  readonly min_delta_ms: number;
} {
  return {
    metric: (one(options, 'metric') ?? 'p95_ms') as Metric,
    window: count(options, 'window'),
    min_history: count(options, 'min-history'),
    threshold: number(options, 'threshold'),
    min_increase: number(options, 'min-increase'),
    min_delta_ms: number(options, 'min-delta-ms'),
  };
}
