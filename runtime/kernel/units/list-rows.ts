import type { Clock } from '#schemas/types/host.ts';

import type { BackgroundJob, SaveState } from '../ports.ts';
import { RowState } from './row-state.ts';

/** Ways back of the ports of a unit, for lists of it that run once a row. */
export class ListRows {
  readonly #savers: { readonly name: string; readonly save: SaveState }[] = [];
  readonly #kept = new Set<RowState>();
  readonly #clock: Clock;
  readonly #jobs: ReadonlySet<BackgroundJob>;

  constructor(clock: Clock, jobs: ReadonlySet<BackgroundJob>) {
    this.#clock = clock;
    this.#jobs = jobs;
  }

  add(name: string, save: SaveState): void {
    this.#savers.push({ name, save });
    for (const state of this.#kept) state.add(name, save);
  }

  /** Remembers the state of this moment. What it yields brings that back, and says why where it could not. */
  async keep(): Promise<() => Promise<string | undefined>> {
    const state = new RowState(this.#clock, this.#jobs);
    for (const { name, save } of this.#savers) state.add(name, save);
    await state.begin();
    this.#kept.add(state);
    return () => state.restore();
  }
}
