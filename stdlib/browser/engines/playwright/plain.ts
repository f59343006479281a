import { Failure } from '#schemas/types/failure.ts';

/** An error of the library without the colours of a terminal in its text: it goes into records and reports. */
export function plain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure || !error.message.includes('\u001b')) return error;
  const cleaned = new Error(
    error.message.replace(/\u001b\[\d+m/g, ''),
    error.cause === undefined ? undefined : { cause: error.cause },
  );
  cleaned.name = error.name;
  return cleaned;
}
