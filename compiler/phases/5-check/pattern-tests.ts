import type { CompileContext } from '#compiler/context.ts';
import { boundedMatch, SlowMatch } from '#schemas/types/bounded-match.ts';

/** Longest time (ms) of one search. */
const LIMIT_MS = 250;
/** Time (ms) that all searches of one file may take together: there may be as many of them as values. */
const ALL_MS = 2000;

/** Whether a text fits a pattern that may come from a stranger's file; undefined where finding out takes too long. */
export class PatternTests {
  /** The pattern that was stopped last. */
  slow: string | undefined;
  readonly #host: Pick<CompileContext['host'], 'match' | 'clock'>;
  #left = ALL_MS;

  constructor(host: Pick<CompileContext['host'], 'match' | 'clock'>) {
    this.#host = host;
  }

  readonly test = (pattern: string, text: string): boolean | undefined => {
    const started = this.#host.clock.monotonic();
    try {
      if (this.#left > 0) return boundedMatch(this.#host, { pattern, flags: 'u', ms: LIMIT_MS }, text) !== null;
    } catch (error) {
      if (!(error instanceof SlowMatch)) throw error;
      // A clock of tests stands still.
      this.#left -= LIMIT_MS;
    } finally {
      this.#left -= this.#host.clock.monotonic() - started;
    }
    this.slow = pattern;
    return undefined;
  };
}
