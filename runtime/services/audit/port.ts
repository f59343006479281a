import type { JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly audit: Audit;
  }
}

/**
 * The audit log of a unit: once one is open, each step that was executed writes a row, nested ones too. A row that
 * cannot be written changes nothing about its step: it is kept and tried again, and told once.
 */
export interface Audit {
  /**
   * Makes file and folders when missing; another log that was open is closed. Yields the absolute path, and how many
   * rows are there.
   */
  open(path: string, actor: string | null): Promise<{ readonly db_path: string; readonly count: number }>;
  /** True when one was open. */
  close(): boolean;
  /** Writes a row by hand and yields its id. This and what follows fail where no log is open. */
  record(row: AuditEntry): number;
  /** Newest first. */
  recent(limit: number, filter: AuditFilter): AuditRow[];
  count(filter: AuditFilter): number;
  /** Yields how many rows are gone. */
  purge(olderThanSeconds: number): number;
}

export type AuditStatus = 'ok' | 'error';

export interface AuditEntry {
  readonly action: string;
  /** Actor of an entry; the one that opened the log where nobody is named. */
  readonly actor?: string | null;
  readonly status?: AuditStatus;
  readonly duration_ms?: number;
  /** Written without what stands under keys such as `password`. */
  readonly detail?: JsonObject;
}

export interface AuditFilter {
  readonly action?: string | null;
  readonly status?: AuditStatus | null;
  readonly actor?: string | null;
  /** ISO 8601; the moment itself counts. */
  readonly since?: string | null;
  readonly until?: string | null;
}

export interface AuditRow {
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly action: string;
  readonly actor: string | null;
  readonly status: AuditStatus;
  readonly duration_ms: number;
  readonly detail: JsonObject;
}
