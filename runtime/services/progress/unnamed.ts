import type { Progress, Transfer, TransferFacts } from './port.ts';

/** Transfers where none has a name. */
export const unnamed: Progress = {
  list: () => [],
  cancel: () => false,
  clear: () => 0,
  watch: (facts, work) => work(unwatched(facts)),
};

/** Work that nobody looks at. */
export function unwatched({ signal }: TransferFacts): Transfer {
  return { signal, update: () => undefined, expect: () => undefined, failsAs: () => undefined };
}
