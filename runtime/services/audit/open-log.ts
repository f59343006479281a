import { userInfo } from 'node:os';
import { dirname } from 'node:path';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';

import { AuditLog } from './audit-log.ts';
import { prepare, type Database } from './audit-table.ts';

/** Opens an audit log by its absolute path; file and folders are made when missing. Fails with AuditException. */
export async function openLog(
  path: string,
  actor: string | null,
  host: Pick<Host, 'files' | 'clock' | 'env'>,
  sqlite: Pick<Ports['sqlite'], 'open'>,
): Promise<{ readonly log: AuditLog; readonly count: number }> {
  let database: Database | undefined;
  try {
    await host.files.makeDirectory(dirname(path), { recursive: true });
    database = await sqlite.open(path);
    prepare(database, path);
    const log = new AuditLog(database, host.clock, actor ?? userOf(host));
    return { log, count: log.count() };
  } catch (error) {
    database?.close();
    throw unusable(path, error);
  }
}

/** The failure for an error of a log, with the log's name. */
export function unusable(path: string, error: unknown): unknown {
  if (error instanceof Failure && error.name === 'AuditException') return error;
  if (!(error instanceof Error)) return error;
  // The database says it with the same name of the file around it.
  const { message } = error instanceof Failure && error.options.cause instanceof Error ? error.options.cause : error;
  return fail.auditUnusable({ path, reason: message, cause: error });
}

/** User that runs this process, as the system knows; the environment only claims a name. */
function userOf({ env }: Pick<Host, 'env'>): string {
  try {
    return userInfo().username;
  } catch {
    return env['USER'] ?? env['USERNAME'] ?? 'unknown';
  }
}
