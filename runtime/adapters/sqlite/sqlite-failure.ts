import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

/** Primary result codes of SQLite: busy and locked. */
const waiting = new Set([5, 6]);
/** Result codes about the statement, not about the file: a mistake in a statement is ours and is thrown as it is. */
const NOT_ABOUT_FILES = new Set([1, 18, 20, 21, 25]);

/** The failure for an error of SQLite, with the file's name. */
export function sqliteFailure(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  if (waiting.has(code)) return fail.databaseBusy({ path, cause: error });
  return NOT_ABOUT_FILES.has(code) ? error : fail.databaseUnusable({ path, reason: error.message, cause: error });
}

export function isBusy(failure: unknown): boolean {
  return failure instanceof Failure && waiting.has(codeOf(failure.options.cause) ?? -1);
}

/** Whether a statement would change what was opened for reading: a mistake in it, not in the file. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === 8;
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  // Extended codes hold the primary one in their last byte.
  return error.errcode & 0xff;
}
