import type { Json } from './json.ts';
import type { FailureClass } from './record.ts';

export interface FailureFacts {
  /** `SVC8…` or `SVC9…`. */
  readonly code: string;
  /** The specification's exception name where it has one, else the slug. */
  readonly name: string;
  readonly message: string;
  readonly class: FailureClass;
  /** Kinds that `retry.on` can select beside classes: `network`, `timeout`, `assertion`, `http_5xx`. */
  readonly kinds: readonly string[];
  readonly help?: string;
}

export interface FailureOptions {
  readonly expected?: Json;
  readonly actual?: Json;
  readonly cause?: unknown;
  /** Value that the command had when it failed: recorded as the step's result. */
  readonly result?: unknown;
  /** Every condition of the step's `expect` that does not hold, up to a number; the first of them is this failure. */
  readonly expectations?: readonly FalseExpectation[];
  /** Number of the entry of the step's `save_as` that found nothing to save, from 0. */
  readonly capture?: number;
  /** The step's `when` could not be judged. */
  readonly when?: true;
  /** The condition of the control form could not be judged, or did not come to hold. */
  readonly condition?: true;
  /** Place of what it speaks of, where that is no step. */
  readonly place?: FailurePlace;
  /** Refused before anything changed: sessions and values that earlier steps made under the same names still count. */
  readonly kept?: boolean;
}

/** A place in an action file; lines and columns count from 1. */
export interface FailurePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A condition of an `expect` that does not hold. */
export interface FalseExpectation {
  /** Number of the condition in the step's `expect`, from 0. */
  readonly index: number;
  readonly failure: Failure;
}

/** The same in every copy of this module: a program holds one, the package that it may load another. */
const mark: unique symbol = Symbol.for('svc.failure');

/**
 * A step that did not do what it should: about the run, not a bug of ours. Made only by
 * `#schemas/generated/failures.ts`.
 */
export class Failure extends Error {
  readonly [mark] = true;
  readonly facts: FailureFacts;
  readonly options: FailureOptions;

  constructor(facts: FailureFacts, options: FailureOptions = {}) {
    super(facts.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = facts.name;
    this.facts = facts;
    this.options = options;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && mark in value;
  }
}
