import type { RunEvent, RunOutcome } from '#runtime/kernel/events.ts';

/** Hears which snapshots a run stores, for its summary. */
export class StoredSnapshots {
  readonly #created = new Set<string>();
  readonly #updated = new Set<string>();

  event(event: RunEvent): void {
    if (event.kind !== 'notice') return;
    for (const path of event.snapshots?.created ?? []) this.#created.add(path);
    for (const path of event.snapshots?.updated ?? []) if (!this.#created.has(path)) this.#updated.add(path);
  }

  /** The summary with what was stored. */
  in(outcome: RunOutcome): RunOutcome {
    if (this.#created.size + this.#updated.size === 0) return outcome;
    return { ...outcome, snapshots: { created: [...this.#created], updated: [...this.#updated] } };
  }
}

/** Passes events on; the summary at the end says what was stored. */
export function withStoredSnapshots(pass: (event: RunEvent) => void): (event: RunEvent) => void {
  const stored = new StoredSnapshots();
  return (event) => {
    stored.event(event);
    pass(event.kind === 'run-finished' ? { ...event, outcome: stored.in(event.outcome) } : event);
  };
}
