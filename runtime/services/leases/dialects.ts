/** Statements that PostgreSQL and MariaDB write differently. Times are the server's own, in seconds since 1970. */
export interface Dialect {
  readonly exists: string;
  readonly create: string;
  /**
   * Values: name, owner, ttl or null, process. Each changes one row or none; a lease is taken by the first that changes
   * one.
   */
  readonly claims: readonly string[];
  /** Values: ttl, name, owner. */
  readonly renew: string;
  /** Values: name, owner. */
  readonly release: string;
  /** Value: name. Yields the row where somebody holds it. */
  readonly find: string;
  /** Errors of the server that say only that another came between. */
  readonly collisions: readonly string[];
}

const pgNow = 'extract(epoch from clock_timestamp())::float8';
const myNow = 'CAST(UNIX_TIMESTAMP(SYSDATE(6)) AS DOUBLE)';
const free = (now: string): string => `(svc_locks.owner IS NULL OR svc_locks.expires_at <= ${now})`;

export const postgres: Dialect = {
  exists: "SELECT 1 FROM pg_class WHERE oid = to_regclass('svc_locks')",
  create:
    'CREATE TABLE IF NOT EXISTS svc_locks (name text PRIMARY KEY, owner text, acquired_at float8, expires_at float8, fence bigint NOT NULL, process text)',
  claims: [
    `INSERT INTO svc_locks (name, owner, acquired_at, expires_at, fence, process) VALUES ($1, $2, ${pgNow}, ${pgNow} + $3::float8, 1, $4)
    ON CONFLICT (name) DO UPDATE SET owner = $2, acquired_at = ${pgNow}, expires_at = ${pgNow} + $3::float8, fence = svc_locks.fence + 1, process = $4 WHERE ${free(pgNow)}`,
  ],
  renew: `UPDATE svc_locks SET expires_at = ${pgNow} + $1::float8 WHERE name = $2 AND owner = $3`,
  release: 'UPDATE svc_locks SET owner = NULL, expires_at = NULL WHERE name = $1 AND owner = $2',
  find: `SELECT owner, acquired_at, expires_at, process, fence FROM svc_locks WHERE name = $1 AND NOT coalesce(${free(pgNow)}, false)`,
  // Two who make the table at once: one is told that its parts are there.
  collisions: ['23505', '42P07', '42710', '40P01', '40001'],
};

export const mariadb: Dialect = {
  exists: "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'svc_locks'",
  // Names are compared byte for byte.
  create:
    'CREATE TABLE IF NOT EXISTS svc_locks (name VARBINARY(1024) PRIMARY KEY, owner CHAR(32) CHARACTER SET ascii, acquired_at DOUBLE, expires_at DOUBLE, fence BIGINT NOT NULL, process TEXT) ENGINE = InnoDB',
  claims: [
    `UPDATE svc_locks SET owner = ?, acquired_at = ${myNow}, expires_at = ${myNow} + ?, fence = fence + 1, process = ? WHERE name = ? AND ${free(myNow)}`,
    `INSERT IGNORE INTO svc_locks (owner, acquired_at, expires_at, fence, process, name) VALUES (?, ${myNow}, ${myNow} + ?, 1, ?, ?)`,
  ],
  renew: `UPDATE svc_locks SET expires_at = ${myNow} + ? WHERE name = ? AND owner = ?`,
  release: 'UPDATE svc_locks SET owner = NULL, expires_at = NULL WHERE name = ? AND owner = ?',
  find: `SELECT owner, acquired_at, expires_at, process, fence FROM svc_locks WHERE name = ? AND NOT coalesce(${free(myNow)}, false)`,
  collisions: ['40001'],
};
