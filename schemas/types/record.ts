import type { Json } from './json.ts';

export type StepStatus = 'passed' | 'failed' | 'skipped' | 'dry-run';
export type FailureClass = 'transient' | 'flaky' | 'environment' | 'real';

/** One line of a record (`run-record.schema.json`). (run, id, row, occurrence) is unique. */
export interface RunRecord {
  readonly v: 1;
  readonly run: string;
  /** SHA-256 of the sealed plan, in hex. */
  readonly plan: string;
  /** The node's id in the plan. */
  readonly id: string;
  /** Dataset row, from 1. */
  readonly row?: number;
  /** Number of earlier runs of this node in this run and row, from 0. */
  readonly occurrence?: number;
  readonly parent?: string;
  readonly command: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly status: StepStatus;
  readonly reason?: string;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly attempts: number;
  /** Seed that its fake values follow from. */
  readonly seed?: number;
  readonly flaky?: true;
  /** Another attempt of the block that holds it followed: it counts nowhere. */
  readonly superseded?: true;
  readonly result?: Json;
  readonly truncated?: true;
  readonly error?: RecordedError;
  /** Paths of pictures and texts that were kept of a step: one that failed, or took or approved a picture. */
  readonly evidence?: readonly string[];
}

export interface RecordedError {
  readonly name: string;
  readonly message: string;
  readonly class: FailureClass;
  readonly code?: string;
  /** Advice: what to do about it. */
  readonly help?: string;
  readonly expected?: Json;
  readonly actual?: Json;
  /** Every condition of the step's `expect` that does not hold, up to `MOST_EXPECTATIONS`. */
  readonly expectations?: readonly RecordedExpectation[];
  /** Number of the entry of the step's `save_as` that found nothing to save, from 0. */
  readonly capture?: number;
  /** The step's `when` could not be judged. */
  readonly when?: true;
  /** The condition of the control form could not be judged, or did not come to hold. */
  readonly condition?: true;
  /** Place of what it speaks of, where that is no step: of an input that has no value. */
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
  readonly cause?: RecordedError;
}

/** False conditions after which those that follow are not looked at. */
export const MOST_EXPECTATIONS = 50;

/** A condition of an `expect` that does not hold. */
export interface RecordedExpectation {
  /** Number of the condition in the step's `expect`, from 0. */
  readonly index: number;
  readonly message: string;
  readonly help?: string;
  readonly expected?: Json;
  readonly actual?: Json;
}
