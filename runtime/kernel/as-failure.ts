import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import { fileFailure } from './file-failure.ts';

/**
 * A failure as it is; an error of the file system is told in its own words; anything else that a command threw becomes
 * a real failure with that as its cause.
 */
export function asFailure(error: unknown, command: string): Failure {
  if (isFailure(error)) return error;
  const ofFiles = fileFailure(error);
  if (ofFiles) return ofFiles;
  return fail.commandBroke({ command, reason: reasonOf(error), cause: error });
}

/** A proxy may throw when it is asked. */
export function isFailure(error: unknown): error is Failure {
  try {
    return error instanceof Failure;
  } catch {
    return false;
  }
}

/** The message of what was thrown. Functions of others throw anything, also what throws when it is looked at. */
export function reasonOf(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message : error;
    return String(text);
  } catch {
    return 'something that cannot be read was thrown';
  }
}

/** The name of what was thrown. */
export function nameOf(error: unknown): string {
  try {
    return error instanceof Error && typeof error.name === 'string' ? error.name : 'Error';
  } catch {
    return 'Error';
  }
}

/** Cause of an error; undefined where there is none. */
export function causeOf(error: unknown): unknown {
  try {
    return error instanceof Error ? error.cause : undefined;
  } catch {
    return undefined;
  }
}
