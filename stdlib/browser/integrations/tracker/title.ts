import type { RecordedStep } from '#stdlib/browser/recorded-step.ts';

/** Longest title that a tracker takes (characters). */
const LONGEST = 255;

/**
 * Title of the issue of a failed step. It tells one step from another, so that each gets an issue of its own and finds
 * it again in the next run. Of an id that is too long the end says which step it is.
 */
export function titleOf({ id, function_name: name }: Pick<RecordedStep, 'id' | 'function_name'>): string {
  const title = (shown: string): string => `svc ${shown} failure: ${name}`;
  const room = LONGEST - title('').length;
  return title(id.length <= room ? id : `…${id.slice(1 - room).toWellFormed()}`);
}
