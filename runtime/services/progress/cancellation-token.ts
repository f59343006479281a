import * as fail from '#schemas/generated/failures.ts';

/** Asks a transfer to stop: an abort signal, and a flag. */
export class CancellationToken {
  readonly #controller = new AbortController();
  readonly #name: string;

  constructor(name = 'transfer') {
    this.#name = name;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get is_cancelled(): boolean {
    return this.signal.aborted;
  }

  cancel(): void {
    if (!this.is_cancelled) this.#controller.abort(fail.transferCancelled({ name: this.#name }));
  }

  /** Throws `CancelledException`. */
  raise_if_cancelled(): void {
    this.signal.throwIfAborted();
  }
}
