import { dirname } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { EndpointStats } from './endpoint.ts';

export type TrendContext = Base & Pick<Ports, 'sqlite' | 'files'>;
type Database = Awaited<ReturnType<Ports['sqlite']['open']>>;

/** Version of the tables; a file of a later one is not touched. */
const VERSION = 1;
const tables = `
CREATE TABLE IF NOT EXISTS trend_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, captured_at TEXT NOT NULL, success_count INTEGER NOT NULL,
  failure_count INTEGER NOT NULL, avg_elapsed REAL NOT NULL);
CREATE TABLE IF NOT EXISTS trend_endpoint_samples (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_label TEXT NOT NULL, captured_at TEXT NOT NULL,
  endpoint TEXT NOT NULL, sample_count INTEGER NOT NULL, mean_ms REAL NOT NULL, p50_ms REAL NOT NULL,
  p95_ms REAL NOT NULL, max_ms REAL NOT NULL);
CREATE INDEX IF NOT EXISTS trend_endpoint_samples_endpoint ON trend_endpoint_samples (endpoint, id);
PRAGMA user_version = ${VERSION};
`;
/** Time (ms) that another job may write before this one gives up. */
const BUSY_MS = 10_000;

/** Opens a trend file for writing, made when it is missing, and closes it afterwards. */
export async function withTrend<Result>(
  path: string,
  ctx: TrendContext,
  work: (database: Database) => Result,
): Promise<Result> {
  await ctx.files.makeDirectory(dirname(path), { recursive: true });
  const database = await ctx.sqlite.open(path, { busy_ms: BUSY_MS });
  try {
    checkVersion(path, database);
    database.exec(`BEGIN IMMEDIATE;${tables}`);
    try {
      const result = work(database);
      database.exec('COMMIT');
      return result;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  } finally {
    database.close();
  }
}

type Table = 'trend_runs' | 'trend_endpoint_samples';

/**
 * Reads a table of a trend file; undefined: there is no such file, or no such table in it, as other programs make each
 * for itself. It is never made or changed.
 */
export async function readTrend<Result>(
  path: string,
  table: Table,
  ctx: TrendContext,
  read: (database: Database) => Result,
): Promise<Result | undefined> {
  if (!(await ctx.files.find(path))) return undefined;
  const database = await ctx.sqlite.open(path, { busy_ms: BUSY_MS, create: false });
  try {
    checkVersion(path, database);
    const found = database.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", [table]);
    return found.length === 0 ? undefined : read(database);
  } finally {
    database.close();
  }
}

function checkVersion(path: string, database: Database): void {
  const version = Number(database.all('PRAGMA user_version')[0]?.['user_version'] ?? 0);
  if (version > VERSION) throw fail.trendVersion({ path, version, known: VERSION });
}

export interface TrendRun {
  readonly captured_at: string;
  readonly success_count: number;
  readonly failure_count: number;
  /** Seconds. */
  readonly avg_elapsed: number;
}

export function addRun(database: Database, run: TrendRun): void {
  database.run('INSERT INTO trend_runs (captured_at, success_count, failure_count, avg_elapsed) VALUES (?, ?, ?, ?)', [
    run.captured_at,
    run.success_count,
    run.failure_count,
    run.avg_elapsed,
  ]);
}

/** Newest first. */
export function listRuns(database: Database, limit: number): TrendRun[] {
  const rows = database.all(
    'SELECT captured_at, success_count, failure_count, avg_elapsed FROM trend_runs ORDER BY id DESC LIMIT ?',
    [limit],
  );
  return rows.map((row) => ({
    captured_at: String(row['captured_at']),
    success_count: Number(row['success_count']),
    failure_count: Number(row['failure_count']),
    avg_elapsed: Number(row['avg_elapsed']),
  }));
}

export interface SampleRun {
  readonly run_id: string;
  readonly run_label: string;
  readonly captured_at: string;
}

export function addSamples(database: Database, run: SampleRun, stats: readonly EndpointStats[]): void {
  for (const row of stats)
    database.run(
      'INSERT INTO trend_endpoint_samples (run_id, run_label, captured_at, endpoint, sample_count, mean_ms, p50_ms, p95_ms, max_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      [
        run.run_id,
        run.run_label,
        run.captured_at,
        row.endpoint,
        row.sample_count,
        row.mean_ms,
        row.p50_ms,
        row.p95_ms,
        row.max_ms,
      ],
    );
}

/** The values of one metric by endpoint, oldest first: of the endpoints that took part in the latest run. */
export function latestHistories(
  database: Database,
  metric: 'mean_ms' | 'p50_ms' | 'p95_ms' | 'max_ms',
): ReadonlyMap<string, readonly number[]> {
  const rows = database.all(
    `SELECT endpoint, ${metric} AS value FROM trend_endpoint_samples
     WHERE endpoint IN (SELECT endpoint FROM trend_endpoint_samples
       WHERE run_id = (SELECT run_id FROM trend_endpoint_samples ORDER BY id DESC LIMIT 1))
     ORDER BY endpoint, id`,
  );
  const histories = new Map<string, number[]>();
  for (const row of rows) {
    const endpoint = String(row['endpoint']);
    histories.set(endpoint, [...(histories.get(endpoint) ?? []), Number(row['value'])]);
  }
  return histories;
}

/** Figures of one endpoint in one run; times in milliseconds. */
export interface Sample {
  readonly run_id: string;
  readonly run_label: string;
  readonly captured_at: string;
  readonly sample_count: number;
  readonly mean_ms: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
}

/** All samples by endpoint, oldest first. */
export function allSamples(database: Database): Map<string, Sample[]> {
  const rows = database.all(
    `SELECT endpoint, run_id, run_label, captured_at, sample_count, mean_ms, p50_ms, p95_ms, max_ms
     FROM trend_endpoint_samples ORDER BY endpoint, id`,
  );
  const samples = new Map<string, Sample[]>();
  for (const { endpoint, ...sample } of rows)
    samples.set(String(endpoint), [...(samples.get(String(endpoint)) ?? []), sample as unknown as Sample]);
  return samples;
}
