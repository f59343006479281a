import type { Ports } from '#runtime/kernel/ports.ts';

export type RecordedStep = ReturnType<Ports['stepRecord']['all']>[number];

/** The outcome of a step, as records tell it: the literal text `None` where it passed. */
export function outcomeOf({
  program_exception: text,
}: {
  readonly program_exception?: string | undefined;
}): 'passed' | 'failed' {
  return (text ?? 'None') === 'None' ? 'passed' : 'failed';
}
