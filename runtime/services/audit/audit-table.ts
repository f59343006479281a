import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';

export type Database = Awaited<ReturnType<Ports['sqlite']['open']>>;

const TABLE =
  'CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, ts REAL NOT NULL, action TEXT NOT NULL, actor TEXT, status TEXT NOT NULL, duration_ms REAL NOT NULL, detail TEXT NOT NULL)';
const INDEX = 'CREATE INDEX IF NOT EXISTS idx_audit_ts ON audit (ts DESC, id DESC)';
const columns = ['id', 'ts', 'action', 'actor', 'status', 'duration_ms', 'detail'];
const oldColumns = ['id', 'ts', 'action', 'payload', 'result', 'error', 'duration_ms'];

/**
 * Makes a database an audit log, or takes over one that has another known form. Every row that is committed survives a
 * power cut.
 */
export function prepare(database: Database, path: string): void {
  keepDurable(database);
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = database.all("SELECT name FROM pragma_table_info('audit')").map(({ name }) => String(name));
    const isOld = oldColumns.every((name) => found.includes(name)) && !found.includes('detail');
    if (found.length === 0) database.exec(TABLE);
    else if (isOld) moveRows(database);
    else if (!columns.every((name) => found.includes(name)))
      throw fail.auditUnusable({ path, reason: `its table "audit" has other columns: ${found.join(', ')}` });
    database.exec(INDEX);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Readers do not hold up writers where the file system allows it; elsewhere the file stays as it is. */
function keepDurable(database: Database): void {
  try {
    database.all('PRAGMA journal_mode = WAL');
  } catch {
    // Another process is at it: it works either way.
  }
  database.exec('PRAGMA synchronous = FULL');
}

/** Rows of the older form: what was called, its result and its error stood in columns of their own. */
function moveRows(database: Database): void {
  database.exec(`ALTER TABLE audit RENAME TO audit_old; DROP INDEX IF EXISTS idx_audit_ts; ${TABLE}`);
  let last = 0;
  for (;;) {
    const rows = database.all(
      'SELECT id, ts, action, payload, result, error, duration_ms FROM audit_old WHERE id > ? ORDER BY id LIMIT 500',
      [last],
    );
    if (rows.length === 0) break;
    for (const { id, ts, action, payload, result, error, duration_ms: duration } of rows) {
      const failed = error !== null && error !== '';
      const detail: JsonObject = {
        payload: parsed(payload),
        ...(failed ? { error: { type: 'Error', message: String(error) } } : { result: parsed(result) }),
      };
      database.run(
        'INSERT INTO audit (id, ts, action, actor, status, duration_ms, detail) VALUES (?, ?, ?, NULL, ?, ?, ?)',
        [id ?? null, ts ?? 0, action ?? '', failed ? 'error' : 'ok', duration ?? 0, JSON.stringify(detail)],
      );
      last = Number(id);
    }
  }
  database.exec('DROP TABLE audit_old');
}

function parsed(value: unknown): JsonObject[string] {
  if (typeof value !== 'string') return value === null || value === undefined ? null : String(value);
  try {
    return JSON.parse(value) as JsonObject[string];
  } catch {
    return value;
  }
}
