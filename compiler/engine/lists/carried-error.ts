import { Failure, type FailureFacts, type FailureOptions } from '#schemas/types/failure.ts';

/** An error as data, on its way from one thread to another. */
export type CarriedError =
  | { readonly facts: FailureFacts; readonly options: FailureOptions; readonly cause?: CarriedError }
  | { readonly text: string; readonly code?: unknown; readonly cause?: CarriedError };

/** The error as data: of a failure all that is told of it, of others the words and the code of the system. */
export function carriedError(error: unknown): CarriedError {
  if (error instanceof Failure) {
    const { cause, ...options } = error.options;
    return { facts: error.facts, options, ...(cause !== undefined && { cause: carriedError(cause) }) };
  }
  if (!(error instanceof Error)) return { text: String(error) };
  return {
    text: error.message,
    ...('code' in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: carriedError(error.cause) }),
  };
}

/** The error that was carried. */
export function errorOf({ cause: carried, ...error }: CarriedError): Error {
  const cause = carried === undefined ? {} : { cause: errorOf(carried) };
  if ('facts' in error) return new Failure(error.facts, { ...error.options, ...cause });
  return Object.assign(new Error(error.text, cause), error.code !== undefined && { code: error.code });
}
