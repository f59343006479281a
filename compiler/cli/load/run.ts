import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { keepInputs } from '../keep-inputs.ts';
import { count, many, maybeNumber, need, one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { positional, options } = args;
  const reports = many(options, 'report');
  const from = { action_file: one(options, 'actions') ?? null, report_paths: reports.length > 0 ? [...reports] : null };
  need(from.action_file !== null || from.report_paths !== null, `load ${positional[0]}`, '--actions or --report');
  const rate = maybeNumber(options, 'rate');
  const stages = many(options, 'stage').map(stageOf);
  const profile = {
    user: (one(options, 'user') ?? 'fast_http_user') as 'fast_http_user' | 'http_user',
    mode: (one(options, 'mode') ?? 'sequence') as 'sequence' | 'weighted',
    user_count: count(options, 'users'),
    spawn_rate: count(options, 'spawn-rate'),
    test_time: count(options, 'time'),
    ...(rate === undefined ? {} : { rate }),
    ...(stages.length > 0 ? { stages } : {}),
  };
  if (positional[0] === 'convert') {
    const output = one(options, 'output');
    need(output !== undefined, 'load convert', '--output');
    keepInputs([output], [one(options, 'actions'), ...reports], terminal.cwd);
    return await runCommand(
      'AT_write_load_test',
      { output_path: output ?? '', ...from, profile },
      (path) => [path],
      args,
      terminal,
      { shows: ['left out', 'set these in the environment'] },
    );
  }
  return await runCommand(
    'AT_run_load_test',
    {
      ...from,
      profile,
      thresholds: {
        max_failure_rate: maybeNumber(options, 'max-failure-rate') ?? null,
        max_p95_ms: maybeNumber(options, 'max-p95-ms') ?? null,
        max_p99_ms: maybeNumber(options, 'max-p99-ms') ?? null,
        min_requests_per_second: maybeNumber(options, 'min-requests-per-second') ?? null,
        min_requests: count(options, 'min-requests'),
      },
      data: one(options, 'data') ?? null,
      python: one(options, 'python') ?? null,
    },
    ({ problems, summary, work_dir }) => [
      ...figures(summary),
      ...problems.map((problem) => `[FAIL] ${problem}`),
      work_dir,
    ],
    args,
    terminal,
    { holds: ({ ok }) => ok },
  );
}

/** A stage as `20:30` (users) or `50/s:30` (requests a second) writes it. */
function stageOf(text: string): { readonly users?: number; readonly rate?: number; readonly seconds: number } {
  const [, level, isRate, seconds] = /^(\d+(?:\.\d+)?)(\/s)?:(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (level === undefined || (isRate === undefined && level.includes('.')))
    throw fail.valueNotAllowed({ subject: '--stage', given: text, allowed: 'RATE/s:SECONDS, USERS:SECONDS' });
  const stage = { seconds: Number(seconds) };
  return isRate === undefined ? { users: Number(level), ...stage } : { rate: Number(level), ...stage };
}

interface Figures {
  readonly totals?: { readonly requests: number; readonly failures: number; readonly requests_per_second: number };
  readonly latency_overall?: {
    readonly p50_ms: number;
    readonly p95_ms: number;
    readonly p99_ms: number;
    readonly max_ms: number;
  };
  readonly per_endpoint?: readonly Endpoint[];
}

interface Endpoint {
  readonly method: string;
  readonly name: string;
  readonly failures: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
}

function figures(summary: object): readonly string[] {
  const { totals, latency_overall: latency, per_endpoint: endpoints = [] } = summary as Figures;
  if (!totals || !latency) return [];
  const failing = endpoints.filter(({ failures }) => failures > 0).toSorted((a, b) => b.failures - a.failures);
  return [
    `${totals.requests} requests, ${totals.requests_per_second} a second, ${totals.failures} failed`,
    ...failing.slice(0, SHOWN).map(failed),
    ...(failing.length > SHOWN ? [`  and ${failing.length - SHOWN} more that fail, in summary.json`] : []),
    `p50 ${latency.p50_ms} ms, p95 ${latency.p95_ms} ms, p99 ${latency.p99_ms} ms, longest ${latency.max_ms} ms`,
  ];
}

/** Endpoints that fail, as many as are shown with what they were answered. */
const SHOWN = 5;

function failed({ method, name, failures, statuses, errors }: Endpoint): string {
  const answers = Object.entries(statuses).map(([status, times]) => `${times} times status ${status}`);
  const breaks = Object.entries(errors).map(([error, times]) => `${times} times ${error}`);
  return `  ${method} ${name}: ${failures} failed (${[...breaks, ...answers].join(', ')})`;
}
