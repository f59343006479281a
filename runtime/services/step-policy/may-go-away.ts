import type { HookedStep } from '#runtime/kernel/step-hooks.ts';
import type { Failure } from '#schemas/types/failure.ts';

/**
 * Failures of the run itself that another attempt may not meet: what broke, ran out of time, was not as expected, or
 * was not there yet. All others are about the file (a closed gate, a wrong parameter, a variable that nobody set) and
 * stay.
 */
const PASSING: ReadonlySet<string> = new Set(
  '80001 80002 80005 80006 80007 80012 80020 80021 80023 80033 80071'.split(' ').map((digits) => `SVC${digits}`),
);

/**
 * Whether another attempt can help, and does no harm: a command that must not be repeated is tried again only where it
 * acts on a page, since what it could not reach it has not done.
 */
export function mayGoAway({ facts: { code } }: Failure, { facts: { effects, repeat } }: HookedStep): boolean {
  if (code.startsWith('SVC80') && !PASSING.has(code)) return false;
  return repeat !== 'once' || effects.includes('browser');
}
