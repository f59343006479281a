import type { JsonObject } from './json.ts';
import type { Place } from './plan.ts';
import type { RecordedError, RunRecord } from './record.ts';

/** Event of a run as its reporters receive it, in order. Everything in it is masked already. */
export type RunEvent =
  | {
      readonly kind: 'run-started';
      readonly run: string;
      readonly started_at: string;
      readonly units: readonly UnitInfo[];
      readonly dry_run: boolean;
      /** Present where fake values depend on it, or somebody gave it. */
      readonly seed?: number;
    }
  | { readonly kind: 'unit-started'; readonly source: string; readonly row?: number; readonly repeat?: number }
  | { readonly kind: 'step-started'; readonly step: StepView }
  | {
      readonly kind: 'attempt-failed';
      readonly step: StepView;
      readonly attempt: number;
      readonly error: RecordedError;
      readonly wait_ms: number;
    }
  | {
      readonly kind: 'step-finished';
      readonly step: StepView;
      readonly record: RunRecord;
      readonly evidence: readonly Evidence[];
    }
  | {
      readonly kind: 'unit-finished';
      readonly source: string;
      readonly status: 'passed' | 'failed' | 'skipped';
      readonly reason?: string;
      readonly counts: Counts;
      readonly duration_ms: number;
    }
  /** Something a person should know that is no step: a notice of a provider, a failing release, a run that stays. */
  | {
      readonly kind: 'notice';
      readonly level: 'info' | 'warning';
      readonly text: string;
      readonly source?: string;
      readonly snapshots?: StoredSnapshots;
    }
  /** Lines for the log of a build server, which it reads as they are; on no report. */
  | { readonly kind: 'lines'; readonly stream: 'stdout' | 'stderr'; readonly lines: readonly string[] }
  | { readonly kind: 'run-finished'; readonly outcome: RunOutcome };

/** Paths of the snapshots and baselines that comparing steps stored, as the steps gave them. */
export interface StoredSnapshots {
  readonly created: readonly string[];
  readonly updated: readonly string[];
}

export interface UnitInfo {
  readonly source: string;
  readonly name?: string;
  /** Steps of setup, body and teardown, without nested lists and rows. */
  readonly steps: number;
  /** Rule that decides whether the rest of a body runs after a failure, in a word, for the summary. */
  readonly on_failure: string;
}

/** `flaky` is part of `passed`. */
export interface Counts {
  readonly passed: number;
  readonly flaky: number;
  readonly failed: number;
  readonly skipped: number;
  readonly dry_run: number;
}

export interface UnitOutcome {
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
  readonly counts: Counts;
  readonly duration_ms: number;
}

/** Summary that `svc run --json` prints. */
export interface RunOutcome {
  readonly run: string;
  readonly status: 'passed' | 'failed';
  readonly counts: Counts;
  readonly duration_ms: number;
  /** Given again, it makes the same fake values. */
  readonly seed?: number;
  readonly files: readonly UnitOutcome[];
  /** Present when the run was stopped from outside. */
  readonly stopped?: string;
  /** Present in the summary where the run stored some. */
  readonly snapshots?: StoredSnapshots;
  /** Present when nothing ran, because values from outside are missing or do not fit (exit status 2). */
  readonly refused?: readonly RecordedError[];
}

/** A step as it is shown. */
export interface StepView {
  readonly id: string;
  readonly command: string;
  readonly name?: string;
  readonly row?: number;
  /** The values of the row, of a step that failed. */
  readonly values?: JsonObject;
  readonly parent?: string;
  readonly part: 'setup' | 'body' | 'teardown';
  /** The unit; a step of a file that is used stands elsewhere. */
  readonly source: string;
  readonly place?: Place;
}

/** Evidence that a step shows beside its record. */
export type Evidence =
  | {
      readonly kind: 'http';
      readonly request: HttpMessage & { readonly method: string; readonly url: string };
      readonly response?: HttpMessage & { readonly status: number };
      readonly elapsed_ms: number;
    }
  | {
      readonly kind: 'picture';
      readonly name: string;
      readonly mediaType: string;
      readonly bytes: Uint8Array;
      /** Path of the kept file, as people read it. */
      readonly path?: string;
    }
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly text: string;
      /** Name of the file in which it is kept beside a picture. */
      readonly file?: string;
      /** A few lines, which stand below the failure of the step. */
      readonly isBrief?: true;
      /** Path of the kept file, as people read it. */
      readonly path?: string;
    };

export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** First 64 KiB of the body. */
  readonly body?: string;
}
