import type { Reporter, RunEvent } from './events.ts';
import type { RecordSink } from './options.ts';
import type { RunRecord } from '#schemas/types/record.ts';

/**
 * The records and reports of one run. Nothing that they throw reaches the steps, so that teardown always runs: the
 * first failure is told in a notice, kept until the end, and thrown by `end`.
 */
export class Outputs {
  readonly #reporters: Set<Reporter>;
  readonly #records: RecordSink | undefined;
  readonly #onBroken: (error: unknown) => void;
  #broken: { readonly error: unknown } | undefined;

  /** `onBroken` hears of the first failure. */
  constructor(
    {
      reporters = [],
      records,
    }: { readonly reporters?: readonly Reporter[] | undefined; readonly records?: RecordSink | undefined },
    onBroken: (error: unknown) => void = () => undefined,
  ) {
    this.#reporters = new Set(reporters);
    this.#records = records;
    this.#onBroken = onBroken;
  }

  /** A reporter that breaks hears nothing more. */
  emit(event: RunEvent): void {
    for (const reporter of this.#reporters)
      this.#guard(
        () => reporter.event(event),
        () => this.#reporters.delete(reporter),
      );
  }

  add(record: RunRecord): void {
    this.#guard(() => this.#records?.add(record));
  }

  flush(): void {
    this.#guard(() => this.#records?.flush());
  }

  /** Keeps a failure that happened elsewhere, such as in the process of an isolated file. */
  broke(error: unknown): void {
    if (this.#broken) return;
    this.#broken = { error };
    this.#onBroken(error);
  }

  /** Ends all reporters and closes the records, then throws the first failure. */
  async end(): Promise<void> {
    for (const reporter of this.#reporters) {
      try {
        await reporter.end?.();
      } catch (error) {
        this.broke(error);
      }
    }
    this.#guard(() => this.#records?.close());
    if (this.#broken) throw this.#broken.error;
  }

  #guard(work: () => void, after?: () => void): void {
    try {
      work();
    } catch (error) {
      after?.();
      this.broke(error);
    }
  }
}
