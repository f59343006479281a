import { hideByKey } from '#runtime/kernel/records/hide-by-key.ts';
import { Masker } from '#runtime/kernel/records/masker.ts';
import { recordable } from '#runtime/kernel/records/recordable.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Database } from './audit-table.ts';
import type { AuditEntry, AuditFilter, AuditRow } from './port.ts';

/** A row as it will be written. */
export interface PreparedRow {
  readonly ts: number;
  readonly action: string;
  readonly actor: string | null;
  readonly status: string;
  readonly duration_ms: number;
  readonly detail: string;
}

/** Bytes of one member of `detail`. */
const MEMBER_LIMIT = 8 * 1024;
/** Cuts values to size. Secrets in them are masked before they arrive here. */
const cutter = new Masker();

const INSERT = 'INSERT INTO audit (ts, action, actor, status, duration_ms, detail) VALUES (?, ?, ?, ?, ?, ?)';

/** One open audit log. Every call that changes something has been flushed to the disk when it returns. */
export class AuditLog {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #actor: string | null;

  constructor(database: Database, clock: Clock, actor: string | null) {
    this.#database = database;
    this.#clock = clock;
    this.#actor = actor;
  }

  prepare({ action, actor, status = 'ok', duration_ms: duration = 0, detail = {} }: AuditEntry): PreparedRow {
    return {
      ts: this.#clock.now() / 1000,
      action,
      actor: actor ?? this.#actor,
      status,
      duration_ms: duration,
      detail: JSON.stringify(fit(detail)),
    };
  }

  /** Yields the id. */
  write({ ts, action, actor, status, duration_ms: duration, detail }: PreparedRow): number {
    return this.#database.run(INSERT, [ts, action, actor, status, duration, detail]).lastId;
  }

  /** Sets the time (ms) that a statement waits for other processes. */
  wait(ms: number): void {
    this.#database.exec(`PRAGMA busy_timeout = ${ms}`);
  }

  recent(limit: number, filter: AuditFilter): AuditRow[] {
    const { where, values } = conditions(filter);
    return this.#database
      .all(
        `SELECT id, ts, action, actor, status, duration_ms, detail FROM audit${where} ORDER BY ts DESC, id DESC LIMIT ?`,
        [...values, Math.max(0, limit)],
      )
      .map(toRow);
  }

  count(filter: AuditFilter = {}): number {
    const { where, values } = conditions(filter);
    return Number(this.#database.all(`SELECT count(*) AS count FROM audit${where}`, values)[0]?.['count']);
  }

  purge(olderThanSeconds: number): number {
    return this.#database.run('DELETE FROM audit WHERE ts < ?', [this.#clock.now() / 1000 - olderThanSeconds]).changes;
  }

  close(): void {
    this.#database.close();
  }
}

/**
 * The detail without values under keys that mark secrets, each member cut to what an audit needs; `truncated`
 * says that something was cut.
 */
function fit(detail: JsonObject): JsonObject {
  let truncated = false;
  const members = Object.entries(hideByKey(detail) as JsonObject).map(([key, value]): [string, Json] => {
    const cut = recordable(value, cutter, undefined, MEMBER_LIMIT);
    truncated ||= cut?.truncated ?? false;
    return [key, cut?.json ?? null];
  });
  return truncated ? { ...Object.fromEntries(members), truncated } : Object.fromEntries(members);
}

function conditions({ action, status, actor, since, until }: AuditFilter): {
  readonly where: string;
  readonly values: readonly (string | number)[];
} {
  const all: [string, string | number][] = [];
  if (action !== null && action !== undefined) all.push(['action = ?', action]);
  if (status !== null && status !== undefined) all.push(['status = ?', status]);
  if (actor !== null && actor !== undefined) all.push(['actor = ?', actor]);
  if (since !== null && since !== undefined) all.push(['ts >= ?', secondsOf(since)]);
  if (until !== null && until !== undefined) all.push(['ts <= ?', secondsOf(until)]);
  return {
    where: all.length === 0 ? '' : ` WHERE ${all.map(([condition]) => condition).join(' AND ')}`,
    values: all.map(([, value]) => value),
  };
}

/** Seconds since 1970, in which leap seconds have no place: they are the one before. */
function secondsOf(moment: string): number {
  return Date.parse(moment.replace(/:60(?=\D)/, ':59')) / 1000;
}

function toRow(row: Readonly<Record<string, unknown>>): AuditRow {
  return {
    id: Number(row['id']),
    timestamp: new Date(Math.round(Number(row['ts']) * 1000)).toISOString(),
    action: String(row['action']),
    actor: typeof row['actor'] === 'string' ? row['actor'] : null,
    status: row['status'] === 'error' ? 'error' : 'ok',
    duration_ms: Number(row['duration_ms']),
    detail: detailOf(row['detail']),
  };
}

/** Other programs write here too. */
function detailOf(text: unknown): JsonObject {
  try {
    const value = JSON.parse(String(text)) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : { value };
  } catch {
    return { value: String(text) };
  }
}
