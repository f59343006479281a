import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { SourceId } from '#schemas/types/place.ts';

/** Numbers of findings that were not kept. */
export interface LeftOut {
  readonly errors: number;
  /** Warnings, infos and hints. */
  readonly others: number;
}

/**
 * Findings in the order in which they are reported. With a bound, so many errors of each file are kept and as many
 * others; the rest are counted, since half a million of them in a mebibyte of mistakes take 300 MB. The first error of
 * a file is always kept: it decides what may be planned.
 */
export class Collected {
  readonly diagnostics: Diagnostic[] = [];
  readonly #most: number;
  readonly #errors = new Map<SourceId, number>();
  readonly #others = new Map<SourceId, number>();
  #leftOut: LeftOut = { errors: 0, others: 0 };

  constructor(most = Infinity) {
    this.#most = Math.max(1, most);
  }

  get leftOut(): LeftOut {
    return this.#leftOut;
  }

  /** Number of all findings, kept or not. */
  get count(): number {
    return this.diagnostics.length + this.#leftOut.errors + this.#leftOut.others;
  }

  readonly add = (diagnostic: Diagnostic): void => {
    const isError = diagnostic.severity === 'error';
    const { source } = diagnostic.primary;
    const counts = isError ? this.#errors : this.#others;
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    if (count <= this.#most) this.diagnostics.push(diagnostic);
    else {
      const { errors, others } = this.#leftOut;
      this.#leftOut = isError ? { errors: errors + 1, others } : { errors, others: others + 1 };
    }
  };
}
