import type { StepObserver } from '#runtime/kernel/step-observer.ts';

/**
 * Observers of the steps of all sessions that begin from now on: metrics and tracing are matters of the whole process.
 */
const observers = new Set<() => StepObserver | undefined>();

/** `make` gives each session an observer of its own. The function that is yielded ends it. */
export function observeSessions(make: () => StepObserver | undefined): () => void {
  observers.add(make);
  return () => observers.delete(make);
}

export function sessionObservers(): readonly StepObserver[] {
  return [...observers].map((make) => make()).filter((observer) => observer !== undefined);
}
