import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import { fileFailure } from './file-failure.ts';

/** A failure as it is; an error of the file system is told in its own words; anything else that a command threw becomes a real failure with that as its cause. */
export function asFailure(error: unknown, command: string): Failure {
  if (error instanceof Failure) return error;
  const ofFiles = fileFailure(error);
  if (ofFiles) return ofFiles;
  return fail.commandBroke({ command, reason: error instanceof Error ? error.message : String(error), cause: error });
}
