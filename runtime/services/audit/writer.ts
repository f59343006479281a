import type { AuditLog, PreparedRow } from './audit-log.ts';

const WAIT_MS = 5000;
/** Time (ms) that a step is held up at most while the file is known to be in use. */
const SHORT_WAIT_MS = 100;
/** Rows that are kept while they cannot be written. */
const KEPT = 10_000;

/** Writes the rows of steps in their order. Rows that cannot be written now are kept and go with the next one. */
export class RowWriter {
  readonly #log: AuditLog;
  #waiting: PreparedRow[] = [];
  #lost = 0;

  constructor(log: AuditLog) {
    this.#log = log;
  }

  /** Throws what kept it from writing. */
  add(row: PreparedRow): void {
    if (this.#waiting.length >= KEPT) this.#lost++;
    else this.#waiting.push(row);
    const wasStuck = this.#waiting.length > 1;
    if (wasStuck) this.#log.wait(SHORT_WAIT_MS);
    this.flush();
    if (wasStuck) this.#log.wait(WAIT_MS);
  }

  flush(): void {
    for (let row = this.#waiting[0]; row; row = this.#waiting[0]) {
      this.#log.write(row);
      this.#waiting.shift();
    }
  }

  /** Tries once more; yields how many rows were not written. */
  end(): number {
    try {
      this.#log.wait(WAIT_MS);
      this.flush();
    } catch {
      // They are counted.
    }
    return this.#waiting.length + this.#lost;
  }
}
