import { exitNow } from './foreign-exit.ts';

/** Meaning of a signal, and the exit status that tells of it. */
export interface Interrupt {
  readonly signal: 'SIGHUP' | 'SIGINT' | 'SIGTERM';
  readonly status: 129 | 130 | 143;
}

/** SIGHUP: the terminal, or the connection to the machine, is gone. */
const interrupts: readonly Interrupt[] = [
  { signal: 'SIGHUP', status: 129 },
  { signal: 'SIGINT', status: 130 },
  { signal: 'SIGTERM', status: 143 },
];

/**
 * Calls back at the first SIGHUP, SIGINT or SIGTERM, so that the run can end in order; a second one ends the process at
 * once. The function that it yields takes the handlers away.
 */
export function onInterrupt(first: (interrupt: Interrupt) => void): () => void {
  let caught = false;
  const handlers = interrupts.map((interrupt) => {
    const handler = (): void => {
      if (caught) exitNow(interrupt.status);
      caught = true;
      first(interrupt);
    };
    process.on(interrupt.signal, handler);
    return () => void process.off(interrupt.signal, handler);
  });
  return () => handlers.forEach((remove) => remove());
}
