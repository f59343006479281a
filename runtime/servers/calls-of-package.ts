import * as fail from '#schemas/generated/failures.ts';

import type { OpenActionCalls } from './action-calls.ts';

/**
 * Opens the runner of actions for servers: the compiler of the installed package, which is never part of a
 * program.
 */
export async function openCallsOfPackage(): Promise<OpenActionCalls> {
  try {
    return (await import('svc/actions')).openActionCalls;
  } catch (cause) {
    throw fail.executorMissing({ cause });
  }
}
