import type { Json, JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly compiler: Compiler;
  }
}

/**
 * The compiler itself, for commands about action files: what it says on the command line, it says here. Runs nothing.
 * Long texts are looked at in a thread, so that other work goes on. A call whose signal is aborted rejects with its
 * reason.
 */
export interface Compiler {
  /** One line for each error, with its place; empty: nothing is wrong. */
  check(source: ActionSource, signal: AbortSignal): Promise<readonly string[]>;
  /** Findings of all phases and rules, in order, without what the author has suppressed. */
  lint(source: ActionSource, signal: AbortSignal): Promise<readonly LintFinding[]>;
  /**
   * Writes old names and forms in today's way; comments and layout of files survive. Fails where the text cannot be
   * read.
   */
  migrate(source: ActionSource, signal: AbortSignal): Promise<MigratedSource>;
  /** The JSON Schema of action files. */
  schema(): Promise<JsonObject>;
  /** Every declared command, sorted by name, letter case ignored. */
  commands(): Promise<readonly ListedCommand[]>;
}

/** Actions or the content of an action file, or an action file by its absolute path. */
export type ActionSource = { readonly data: Json } | { readonly path: string };

export interface LintFinding {
  readonly rule: string;
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** The way there in a value, such as `[3][1].url`; line and column in a file. */
  readonly location: string;
}

export interface MigratedSource {
  readonly text: string;
  readonly changes: readonly NameChange[];
}

/** An old name that was replaced; `index` is the place of its action in the outermost list, from 0. */
export interface NameChange {
  readonly index: number;
  readonly from: string;
  readonly to: string;
}

export interface ListedCommand {
  readonly name: string;
  /** Parameters in order; those that may be left out with `?`. */
  readonly signature: string;
  readonly summary: string;
  readonly implemented: boolean;
}
