import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { ServedCommand } from '../action-calls.ts';

/**
 * Door of the engine for the server of tools. All calls share one unit: variables and records of one are there
 * for the next.
 */
export interface AssistantCalls {
  /** Commands that the access list lets through. */
  commands(): Promise<readonly ServedCommand[]>;
  /**
   * Runs a list under the access list, wherever a name stands in it. A list that changes something outside of this
   * process is a dry run where `mayChange` is false. Rejects for a list with mistakes, of which nothing has run.
   */
  run(actions: Json, options: AssistantOptions): Promise<AssistantRun>;
  /** Runs a command that reads alone, for a tool of the server's own. Rejects with its failure. */
  read(command: string, params: JsonObject): Promise<Json>;
  records(): Promise<AssistantRecords>;
  clearRecords(): Promise<void>;
  /**
   * Findings in their machine form, of a file of the project or of a text that may become one: the first hundred, and
   * beside them the number `left_out`. Rejects with the signal's reason when it is aborted.
   */
  check(file: AssistantFile, signal: AbortSignal): Promise<Json>;
  lint(file: AssistantFile, signal: AbortSignal): Promise<Json>;
  /** Explanation of a code or a command; null where nothing is called so. */
  explain(name: string): Promise<Json>;
  /** Runs an action file of the project; where `mayChange` is false it is planned, and nothing runs. */
  runFile(path: string, options: AssistantOptions): Promise<AssistantRun>;
  /** A saved report below the project root, read. */
  report(path: string): Promise<Json>;
  /** A path below the project root, absolute. Fails for others. */
  inside(path: string): string;
  /** A text as it may leave the process. */
  masked(text: string): string;
  close(): Promise<void>;
}

export interface AssistantFile {
  /** Path from the project root. */
  readonly path: string;
  /** Absent: what is on the disk. */
  readonly content?: string;
}

export interface AssistantOptions {
  readonly mayChange: boolean;
  readonly signal: AbortSignal;
}

export interface AssistantRun {
  /** Nothing has run: what would. */
  readonly isDry: boolean;
  /**
   * Result of each action in order: `action`, `status`, and `value`, or `error` with or without one; of a file that
   * was not run its plan.
   */
  readonly results: readonly Json[];
}

export interface AssistantRecords {
  readonly successes: readonly JsonObject[];
  readonly failures: readonly JsonObject[];
}
