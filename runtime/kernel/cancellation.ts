/**
 * A signal that many wait for at little cost: waiting adds a callback to a set, not a listener to the signal. A child
 * is cancelled with its parent.
 */
export class Cancellation {
  readonly #waiting = new Set<(reason: unknown) => void>();
  #controller: AbortController | undefined;
  #leave: (() => void) | undefined;
  #cancelled = false;
  #reason: unknown;

  constructor(parent?: Cancellation) {
    if (parent) this.#leave = parent.whenCancelled((reason) => this.cancel(reason));
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Signal for commands; made when first asked for. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#cancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  cancel(reason: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    this.end();
    this.#controller?.abort(reason);
    for (const callback of [...this.#waiting]) callback(reason);
    this.#waiting.clear();
  }

  /** Calls back once, at once where it is cancelled already; the function it yields takes the callback back. */
  whenCancelled(callback: (reason: unknown) => void): () => void {
    if (this.#cancelled) {
      callback(this.#reason);
      return () => undefined;
    }
    this.#waiting.add(callback);
    return () => void this.#waiting.delete(callback);
  }

  /** Goes away from its parent; nothing can cancel it from there any more. */
  end(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}
