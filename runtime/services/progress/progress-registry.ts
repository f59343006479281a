import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';

import { CancellationToken } from './cancellation-token.ts';
import { ProgressReporter } from './progress-reporter.ts';
import type { ProgressSnapshot } from './snapshot.ts';

type Entry = readonly [reporter: ProgressReporter, token: CancellationToken];

/** Number of ended transfers that are remembered; the oldest go first. */
const REMEMBERED = 1000;

/** Named transfers, running and finished. */
export class ProgressRegistry {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins a transfer. One that has ended gives its name up; one that runs does not. */
  create(name: string, { total = null }: { readonly total?: number | null } = {}): Entry {
    if (this.#entries.get(name)?.[0].is_finished === false) throw fail.progressNameTaken({ name });
    const entry: Entry = [new ProgressReporter(this.#clock, name, { total }), new CancellationToken(name)];
    // Behind those that began before it.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    if (this.#entries.size > REMEMBERED) this.#forgetOldest();
    return entry;
  }

  lookup(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /** False where there is nothing left to cancel. */
  cancel(name: string): boolean {
    const entry = this.#entries.get(name);
    if (!entry || entry[0].is_finished) return false;
    entry[1].cancel();
    return true;
  }

  /** Forgets a transfer and yields whether it was known. One that still runs goes on without being shown. */
  forget(name: string): boolean {
    return this.#entries.delete(name);
  }

  /** Forgets the transfers that have ended, and yields how many. */
  clear_finished(): number {
    const ended = [...this.#entries].filter(([, [reporter]]) => reporter.is_finished);
    for (const [name] of ended) this.#entries.delete(name);
    return ended.length;
  }

  /** Transfers in the order in which they began. */
  list(): readonly ProgressSnapshot[] {
    return [...this.#entries.values()].map(([reporter]) => reporter.snapshot());
  }

  #forgetOldest(): void {
    for (const [name, [reporter]] of this.#entries) {
      if (!reporter.is_finished) continue;
      this.#entries.delete(name);
      return;
    }
  }
}
