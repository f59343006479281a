import * as fail from '#schemas/generated/failures.ts';
import type { Gate } from '#schemas/types/command.ts';

/**
 * Gates of the user's own machine unless configuration or arguments say otherwise. Nothing is said of
 * `private`: commands that take addresses from outside keep to public ones, and requests and databases may go
 * anywhere. Where it is denied, nothing goes to a private place.
 */
export const localGates: Readonly<Partial<Record<Gate, boolean>>> = { script: true, packages: true, shell: true };

/** Gates of a run that comes over a network: its settings must open them. */
export const remoteGates: Readonly<Record<Gate, boolean>> = {
  script: false,
  packages: false,
  shell: false,
  private: false,
};

/** The gates of one unit: the host's, less those that the unit itself has closed. */
export class Guard {
  readonly #open: Readonly<Partial<Record<Gate, boolean>>>;
  readonly #closed = new Set<Gate>();

  constructor(open: Readonly<Partial<Record<Gate, boolean>>>) {
    this.#open = open;
  }

  isOpen(gate: Gate): boolean {
    return this.#open[gate] === true && !this.#closed.has(gate);
  }

  /**
   * Closed by somebody's word: the host's, or that of an action. A gate of which nothing was said is neither open nor
   * denied.
   */
  isDenied(gate: Gate): boolean {
    return this.#open[gate] === false || this.#closed.has(gate);
  }

  require(gate: Gate, subject: string): void {
    if (!this.isOpen(gate)) throw fail.gateClosed({ gate, subject });
  }

  /** Remembers which gates are closed now; what it yields closes these alone. */
  save(): () => void {
    const closed = [...this.#closed];
    return () => {
      this.#closed.clear();
      for (const gate of closed) this.#closed.add(gate);
    };
  }

  /** Closes a gate for the rest of the unit, or takes that back; what the host closed cannot be opened. */
  set(gate: Gate, open: boolean, subject: string): void {
    if (!open) this.#closed.add(gate);
    else if (this.#open[gate] === true) this.#closed.delete(gate);
    else throw fail.gateClosed({ gate, subject });
  }
}
