import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { LoadPlan, LoadResult, LoadTask } from '#schemas/types/load.ts';
import { command } from '#stdlib/command.ts';

type Params = CommandMap['WR_loadgen_run']['params'];
type Result = CommandMap['WR_loadgen_run']['result'];
type Given = Params['actions'][number];
type Request = Given & {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly weight: number;
};

/** Time of the process beyond its own (ms). */
const BEYOND_MS = 120_000;
/** Longest time of one request (ms). */
const REQUEST_MS = 30_000;
/** Seconds at the end of the run that count as its present. */
const PRESENT = 5;

export const WR_loadgen_build_user_class = command('WR_loadgen_build_user_class', ({ actions, wait_min, wait_max }) => {
  checkWaits(wait_min, wait_max);
  return { wait_min, wait_max, tasks: actions.map(requestOf) };
});

export const WR_loadgen_run = command('WR_loadgen_run', async (params, ctx) => {
  const host = new URL(params.host);
  checkWaits(params.wait_min, params.wait_max);
  if (params.allowed_hosts && !params.allowed_hosts.some((each) => each === host.host || each === host.hostname))
    throw fail.loadHostRefused({ host: host.host, allowed: params.allowed_hosts.join(', ') });
  const requests = params.actions.map(requestOf);
  if (params.run_seconds === 0) return { total: NOTHING, per_endpoint: [] };
  const plan: LoadPlan = {
    tasks: requests.map((request) => taskOf(request, host)),
    mode: 'weighted',
    model: { kind: 'closed', stages: stagesOf(params) },
    think_ms: [params.wait_min * 1000, params.wait_max * 1000],
    seed: Math.floor(ctx.chance.number() * 2 ** 32),
    grace_ms: 10_000,
  };
  const timeout_ms = params.run_seconds * 1000 + BEYOND_MS;
  const { result, output } = await ctx.load.run(plan, { timeout_ms, signal: ctx.signal });
  if (!result) throw fail.loadEngineFailed({ reason: output });
  return statistics(result);
});

const NOTHING = {
  num_requests: 0,
  num_failures: 0,
  median_response_time: 0,
  avg_response_time: 0,
  p95_response_time: 0,
  p99_response_time: 0,
};

function checkWaits(least: number, most: number): void {
  if (least > most) throw fail.loadProfile({ reason: `wait_min (${least} s) is more than wait_max (${most} s)` });
}

function requestOf({ name, method: word = 'GET', path = '/', weight = 1, ...rest }: Given): Request {
  const method = word.toUpperCase();
  return { ...rest, name: name ?? `${method} ${path}`, method, path, weight };
}

function taskOf({ name, method, path, weight, json_body: body, headers, params }: Request, host: URL): LoadTask {
  const url = new URL(host);
  const [own = '/', query = ''] = path.split(/\?(.*)/s);
  url.pathname = `${host.pathname.replace(/\/$/, '')}${own}`;
  url.search = query;
  for (const [key, value] of Object.entries((params ?? {}) as JsonObject))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null) url.searchParams.append(key, typeof one === 'string' ? one : JSON.stringify(one));
  const given = Object.entries(headers ?? {}).map(([key, value]) => [key.toLowerCase(), value]);
  return {
    name,
    method,
    url: url.href,
    headers: {
      'user-agent': 'svc',
      accept: '*/*',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(Object.fromEntries(given) as Record<string, string>),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    weight,
    timeout_ms: REQUEST_MS,
  };
}

/** All users are there after `num_users / spawn_rate` seconds, which the length of the run holds. */
function stagesOf({ num_users: users, spawn_rate: rate, run_seconds: seconds }: Params): readonly {
  readonly users: number;
  readonly seconds: number;
}[] {
  const ramp = users / rate;
  if (ramp >= seconds) return [{ users: Math.max(1, Math.round(rate * seconds)), seconds }];
  return [
    { users, seconds: ramp },
    { users, seconds: seconds - ramp },
  ];
}

function statistics({ totals, service_overall: overall, per_endpoint, timeline, seconds }: LoadResult): Result {
  const present = timeline.slice(-PRESENT);
  const span = Math.min(PRESENT, seconds) || 1;
  const rps = present.reduce((sum, { requests }) => sum + requests, 0) / span;
  return {
    total: timesOf(totals, overall),
    per_endpoint: per_endpoint.map((one) => ({
      name: one.name,
      method: one.method,
      ...timesOf(one, one.latency),
      current_rps: round(totals.requests === 0 ? 0 : (rps * one.requests) / totals.requests),
    })),
  };
}

function timesOf(
  { requests, failures }: LoadResult['totals'] | LoadResult['per_endpoint'][number],
  latency: LoadResult['service_overall'],
): Result['total'] {
  return {
    num_requests: requests,
    num_failures: failures,
    median_response_time: latency.p50_ms,
    avg_response_time: latency.mean_ms,
    p95_response_time: latency.p95_ms,
    p99_response_time: latency.p99_ms,
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
