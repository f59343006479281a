import { fileFailure } from '#runtime/kernel/file-failure.ts';

/** Reason in one sentence: of a failure of the system in our words, of others in their own. */
export function asFailureText(error: unknown): string {
  const told = fileFailure(error) ?? error;
  return told instanceof Error ? told.message : String(told);
}
