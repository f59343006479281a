import { Failure } from '#schemas/types/failure.ts';

import { session, type SessionOptions, type StepOptions } from './session.ts';

export { session, type Session, type SessionOptions, type StepOptions } from './session.ts';

/** Calls one registered command in a unit of its own, with defaults filled from its declaration; throws the failure. */
export async function call(
  name: string,
  params: Readonly<Record<string, unknown>> = {},
  options: SessionOptions & { readonly step?: StepOptions } = {},
): Promise<unknown> {
  await using unit = await session(options);
  return await unit.call(name, params, options.step);
}

/** The failure of a call; a call that succeeds, or breaks in another way, fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error;
  throw error;
}
