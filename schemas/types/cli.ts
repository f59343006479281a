import type { TextForm } from './text-form.ts';

/**
 * A verb of the command line as its `compiler/cli/<verb>/verb.yaml` declares it (shape closed by
 * `schemas/meta/cli-command.schema.json`). The generated `#schemas/generated/cli.ts` exports
 * `verbs: readonly Verb[]` (in the order of `groups`, then of name) and
 * `load: Readonly<Record<string, () => Promise<VerbModule>>>`, which imports `#compiler/cli/<verb>/run.ts`.
 */
export interface Verb {
  readonly name: string;
  readonly group: VerbGroup;
  readonly summary: string;
  /** Shown under the summary by `svc <verb> --help`. */
  readonly description?: string;
  readonly arguments: readonly Argument[];
  readonly options: readonly Option[];
  readonly examples: readonly { readonly run: string; readonly about: string }[];
}

export const verbGroups = ['Run', 'Files', 'Check', 'Change', 'Look up', 'Set up'] as const;
export type VerbGroup = (typeof verbGroups)[number];

export type Completion =
  | 'action-file'
  | 'file'
  | 'directory'
  | 'command'
  | 'code'
  | 'verb'
  | 'shell'
  | 'reporter'
  | 'gate'
  | 'schema'
  | 'variable';

export interface Argument {
  readonly name: string;
  readonly about: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  /** Actions of the verb (its first argument) that take this one; all of them where it is left out. */
  readonly for?: readonly string[];
  readonly values?: readonly string[];
  readonly complete?: Completion;
}

export interface Option {
  /** Long name without dashes. A name that begins with `no-` is a flag of its own. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value in the help; absent: a flag. */
  readonly value?: string;
  readonly values?: readonly string[];
  readonly multiple?: boolean;
  /** Actions of the verb (its first argument) that know the option; all of them where it is left out. */
  readonly for?: readonly string[];
  readonly about: string;
  readonly default?: string;
  readonly complete?: Completion;
  /** Form of the value: a whole number from 0 (`count`), from 1 (`positive`), from 0 to 65535 (`port`). */
  readonly type?: 'count' | 'positive' | 'port';
}

/** Arguments that the shell gave, by declaration: values are text; flags are true; `multiple` are lists. */
export interface ParsedArguments {
  readonly positional: readonly string[];
  readonly options: Readonly<Record<string, string | true | readonly string[] | undefined>>;
}

/** The exit status. */
export type ExitStatus = 0 | 1 | 2 | 70 | 129 | 130 | 143;

export interface VerbModule {
  run(args: ParsedArguments, io: Terminal): Promise<ExitStatus>;
}

/** The command line's own surroundings, given by `main.ts` and by tests. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text for people unless said otherwise. */
  out(text: string, form?: TextForm): void;
  err(text: string, form?: TextForm): void;
  /** All of standard input. */
  input(limit: number): Promise<Uint8Array>;
  /** Lines of standard input as they come, until it ends or the signal says so. */
  lines(signal: AbortSignal): AsyncIterable<string>;
  /** Lines as somebody types them behind a prompt on a terminal, with earlier ones at hand; undefined: nobody does. */
  typed?(prompt: string, signal: AbortSignal): AsyncIterable<string> | undefined;
  /** Whether each stream shows colours (terminal, NO_COLOR, FORCE_COLOR). */
  readonly colours: { readonly out: boolean; readonly err: boolean };
  readonly isTerminal: boolean;
  readonly columns: number;
}
