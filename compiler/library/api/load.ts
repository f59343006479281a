import { resolve } from 'node:path';

import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import type { LoadResult } from '#schemas/types/load.ts';
import { forScripts } from '#stdlib/api/checks/load/forms.ts';
import { judge, type Thresholds } from '#stdlib/api/checks/load/judge.ts';
import { withPlaceholders } from '#stdlib/api/checks/load/placeholders.ts';
import { readProfile, type Profile } from '#stdlib/api/checks/load/profile.ts';
import { runLoad, type LoadOutcome } from '#stdlib/api/checks/load/run-load.ts';
import { requestsOfActions, requestsOfRecords, type LoadRequest } from '#stdlib/api/checks/load/sources.ts';
import { jsonLoad } from '#stdlib/api/checks/load/write-files.ts';
import type { RecordedRequest } from '#stdlib/api/saved-records.ts';

import { above, count } from '../numbers.ts';
import { once } from '../session.ts';

export type { LoadOutcome, LoadRequest, Profile as LoadProfile, Thresholds };

/** Requests of a load test, and what was left out, with the reason. */
export interface LoadTasks {
  readonly tasks: LoadRequest[];
  readonly skipped: string[];
}

/** The requests of actions, or of an object that holds a list of them; texts stay as they are. */
export async function actions_to_load_plan(actions: Json): Promise<LoadTasks> {
  const { requests, skipped } = await requestsOfActions(actions, (text) => Promise.resolve(text));
  return { tasks: [...requests], skipped: [...skipped] };
}

/** The requests that records describe, each with its status as the expected one; headers are not sent again. */
export function records_to_load_plan(records: readonly RecordedRequest[]): LoadTasks {
  const { requests, skipped } = requestsOfRecords(records);
  return { tasks: [...requests], skipped: [...skipped] };
}

/**
 * The load-test document of tasks. Throws APITesterException where there is none, and RangeError for a profile that
 * nothing can follow.
 */
export function build_load_test(tasks: readonly LoadRequest[], profile: Profile | null): JsonObject {
  if (tasks.length === 0) throw fail.loadNothing({ reason: 'no task was given' });
  return jsonLoad(tasks, fullProfile(profile));
}

const OF_PROFILE: readonly (keyof Profile)[] = [
  ...(['user', 'user_count', 'spawn_rate', 'test_time', 'mode'] as const),
  ...(['rate', 'stages', 'most_at_once', 'think_seconds'] as const),
];
const OF_THRESHOLDS: readonly (keyof Thresholds)[] = [
  ...(['max_failure_rate', 'max_p95_ms', 'max_p99_ms', 'min_requests_per_second', 'min_requests'] as const),
];

function fullProfile(given: Profile | null): ReturnType<typeof readProfile> {
  checkNames('a profile', given, OF_PROFILE);
  const full = readProfile(given);
  for (const name of ['user_count', 'spawn_rate', 'test_time'] as const) count(name, full[name]);
  if (full.mode !== 'sequence' && full.mode !== 'weighted') throw new RangeError('mode must be sequence or weighted');
  if (full.user !== 'fast_http_user' && full.user !== 'http_user')
    throw new RangeError('user must be fast_http_user or http_user');
  return full;
}

function checkThresholds(given: Thresholds | null): Thresholds | null {
  checkNames('thresholds', given, OF_THRESHOLDS);
  for (const [name, value] of Object.entries(given ?? {}))
    if (value !== null && value !== undefined && !(value >= 0)) throw new RangeError(`${name} must not be below 0`);
  return given;
}

function checkNames(what: string, given: object | null, known: readonly string[]): void {
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`${what} cannot have "${unknown}", but ${known.join(', ')}`);
}

/** Reasons why a summary breaks the limits, empty: it keeps them. A number that it lacks counts as 0. */
export function check_summary(summary: JsonObject, thresholds: Thresholds | null): string[] {
  const part = (name: string): JsonObject => (isObject(summary[name] ?? null) ? (summary[name] as JsonObject) : {});
  const totals = { requests: 0, failures: 0, failure_rate: 0, requests_per_second: 0, ...part('totals') };
  const latency = { p95_ms: 0, p99_ms: 0, ...part('latency_overall') };
  return [...judge({ totals, latency_overall: latency } as unknown as LoadResult, checkThresholds(thresholds))];
}

/** Options of a run: its limits, its engine, its folder. */
export interface LoadOptions {
  readonly thresholds?: Thresholds | null;
  /** Python with Locust; null: the built-in engine. */
  readonly python?: string | null;
  /** Folder for what was sent and found; null: a new one in `svc-load`. */
  readonly work_dir?: string | null;
  /** Longest time (s); null: the test time and two minutes. */
  readonly timeout?: number | null;
}

/** Runs a load-test document in a process of its own, and judges it; limits that it breaks are in the result. */
export async function run_load_test_document(
  load_test: JsonObject,
  { thresholds = null, python = null, work_dir = null, timeout = null }: LoadOptions = {},
  options: SessionOptions = {},
): Promise<LoadOutcome> {
  const { tasks, profile: given } = readDocument(load_test);
  const [profile, limits] = [fullProfile(given), checkThresholds(thresholds)];
  const limit_ms = timeout === null ? null : above('timeout', timeout) * 1000;
  const { requests, skipped } =
    python === null ? { requests: tasks, skipped: [] } : forScripts({ requests: tasks, skipped: [] });
  if (requests.length === 0) throw fail.loadNothing({ reason: skipped.join('; ') });
  return await once(
    'run_load_test_document',
    ['load', 'chance', 'files', 'processes'],
    async (ctx) => {
      const folder = resolve(ctx.folders.cwd, work_dir ?? `svc-load/load-${ctx.chance.uuid().slice(0, 8)}`);
      const load = { requests, shown: requests.map(withPlaceholders), profile, rows: [] };
      return await runLoad(load, { python, thresholds: limits, folder, limit_ms }, ctx);
    },
    options,
  );
}

function readDocument({ loadgen }: JsonObject): { readonly tasks: readonly LoadRequest[]; readonly profile: Profile } {
  const entries = Array.isArray(loadgen) ? (loadgen as readonly Json[]) : [];
  const start = entries.find((entry) => Array.isArray(entry) && entry[0] === 'LG_start_test');
  const given = (Array.isArray(start) && isObject(start[1] as Json) ? start[1] : {}) as JsonObject;
  const { user_detail_dict: user, tasks, ...rest } = given;
  const of = isObject(tasks ?? null) ? (tasks as JsonObject) : {};
  const list = Array.isArray(of['tasks']) ? (of['tasks'] as readonly Json[]) : [];
  if (list.length === 0) throw fail.loadNothing({ reason: 'the document has no LG_start_test with tasks' });
  for (const [index, task] of list.entries()) checkTask(task, index);
  const mode = of['mode'] === undefined ? {} : { mode: of['mode'] };
  return {
    tasks: list as unknown as readonly LoadRequest[],
    profile: { ...rest, ...(isObject(user ?? null) ? (user as JsonObject) : {}), ...mode } as Profile,
  };
}

function checkTask(task: Json, index: number): void {
  const { method, request_url: url, name } = isObject(task) ? task : {};
  const isWhole = typeof method === 'string' && typeof url === 'string' && typeof name === 'string';
  if (!isWhole || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw fail.loadNothing({ reason: `task ${index} lacks a method, a name or an absolute http or https request_url` });
}
