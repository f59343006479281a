import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';

import type { BackgroundJob, Restore, SaveState } from '../ports.ts';

/** Time limit (ms) for one port to go back. */
const RESTORE_MS = 30_000;

/**
 * State that a unit's ports had after setup, for the rows of a dataset: before each further row, what a row opened or
 * changed is taken back. A port that is opened in a row goes back to how it was when it was opened.
 */
export class RowState {
  readonly #clock: Clock;
  readonly #jobs: ReadonlySet<BackgroundJob>;
  readonly #savers: { readonly name: string; readonly save: SaveState }[] = [];
  #saved: { readonly name: string; readonly restore: Promise<Restore> }[] | undefined;
  #kept: ReadonlySet<BackgroundJob> = new Set();

  /** `jobs`: those at work at any time. */
  constructor(clock: Clock, jobs: ReadonlySet<BackgroundJob>) {
    this.#clock = clock;
    this.#jobs = jobs;
  }

  add(name: string, save: SaveState): void {
    if (this.#saved) this.#saved.push({ name, restore: saved(save) });
    else this.#savers.push({ name, save });
  }

  /** Setup is over: this is what each row begins with. */
  async begin(): Promise<void> {
    this.#kept = new Set(this.#jobs);
    this.#saved = this.#savers.map(({ name, save }) => ({ name, restore: saved(save) }));
    await Promise.allSettled(this.#saved.map(({ restore }) => restore));
  }

  /** Takes back what the row before has done. Yields why that did not succeed everywhere. */
  async restore(): Promise<string | undefined> {
    const troubles: string[] = [];
    const attempt = async (name: string, work: () => unknown): Promise<void> => {
      const reason = await this.#within(work);
      if (reason !== undefined) troubles.push(`${name}: ${reason}`);
    };
    for (const job of [...this.#jobs].reverse()) if (!this.#kept.has(job)) await attempt(job.name, () => job.stop());
    for (const { name, restore } of [...(this.#saved ?? [])].reverse())
      await attempt(name, async () => (await restore)());
    return troubles.length === 0 ? undefined : fail.rowNotRestored({ reason: troubles.join('; ') }).message;
  }

  async #within(work: () => unknown): Promise<string | undefined> {
    let endTimer: (() => void) | undefined;
    const limit = new Promise<string>((resolve) => {
      endTimer = this.#clock.timer(RESTORE_MS, () => resolve(`it took longer than ${RESTORE_MS / 1000} s`));
    });
    try {
      return await Promise.race([Promise.resolve(work()).then(() => undefined), limit]);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      endTimer?.();
    }
  }
}

async function saved(save: SaveState): Promise<Restore> {
  return save();
}
