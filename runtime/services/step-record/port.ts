import type { Json } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly stepRecord: StepRecord;
  }
}

/**
 * The steps of this unit while recording was on, nested ones too, in the order in which they ended. Secrets are hidden.
 */
export interface StepRecord {
  /** Turns recording on or off; recorded steps stay. */
  switch(on: boolean): void;
  all(): readonly RecordedStep[];
  /** Fails where nothing is recorded. */
  needed(): readonly RecordedStep[];
  /** The steps that ended while `work` ran, whether recording is on or not. */
  during(work: () => Promise<unknown>): Promise<readonly RecordedStep[]>;
  /** Tells each step that is recorded from now on, until the function that it yields is called. */
  follow(hear: (step: RecordedStep) => void): () => void;
  /** The record as a reporter of the command line writes it. Fails where nothing is recorded. */
  report(name: 'html' | 'junit'): Promise<string>;
}

export interface RecordedStep {
  /** The command. */
  readonly function_name: string;
  /** Name that its author gave the step. */
  readonly name?: string;
  readonly local_param: { readonly [name: string]: Json } | null;
  /** Local time at which it began, `YYYY-MM-DD HH:MM:SS.ffffff`. */
  readonly time: string;
  /** Text of the failure; `None` where the step passed. */
  readonly program_exception: string;
  /** Place in the record, from 0. */
  readonly index: number;
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly started_at: string;
  readonly duration_ms: number;
}
