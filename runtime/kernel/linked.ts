import type { CommandFacts } from '#schemas/types/command.ts';
import type { Failure, FailureOptions } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Places, RowSource, Unit } from '#schemas/types/plan.ts';
import type { Validate, ValidationError } from '#schemas/types/validation.ts';

import type { ActionCheck, Base, PortName, Provider } from './ports.ts';

/** An implementation as the kernel calls it: parameters filled, checked and with defaults. */
export interface Implementation {
  (params: Readonly<Record<string, unknown>>, ctx: Base): unknown;
  /**
   * Changes that a call would make, found out by reading alone; there where `facts.preview` says so. Its port
   * `files` refuses every change.
   */
  readonly preview?: (params: Readonly<Record<string, unknown>>, ctx: Base) => Promise<Preview>;
}

/** Names of what would be changed, by what would be done with them: `{delete: ['a', 'b']}`. */
export type Preview = Readonly<Record<string, readonly string[]>>;

export type Load<T> = () => T | Promise<T>;

/** Makes a failure; the arguments of its message stand beside the options. */
export type MakeFailure = (options: FailureOptions & Readonly<Record<string, unknown>>) => Failure;

/** Everything that the nodes of a plan name, linked or loaded on first use. */
export interface Links {
  readonly places: Places;
  readonly commands: Readonly<Record<string, Load<Implementation>>>;
  readonly ports: { readonly [Name in PortName]?: Load<Provider<Name>> };
  /** Validators for commands that are called with references: their arguments are known only at run time. */
  readonly validators: Readonly<Record<string, Load<Validate>>>;
  /** Makers of the failures that `verdict.message` names, by that slug; without one the kernel's own words are used. */
  readonly verdicts?: Readonly<Record<string, Load<MakeFailure>>>;
}

/** The place where the kernel finds what a node names. */
export interface Linked extends Links {
  /** Beginning of the ids of an action list that arrived as data, in front of a dot and what its author wrote. */
  readonly prefix?: string;
  readonly facts: Readonly<Record<string, CommandFacts>>;
}

/** The rows of a dataset. Throws a failure where it cannot be read. */
export type ReadRows = (source: RowSource, path: string, host: Host) => AsyncIterable<JsonObject>;

/**
 * Waits for all locks of a unit. `release` takes what lets them go; `waits` hears once of each that somebody else
 * holds.
 */
export type TakeLocks = (
  names: readonly string[],
  around: {
    readonly host: Host;
    readonly root: string;
    readonly signal: AbortSignal;
    readonly release: (letGo: () => Promise<void>) => void;
    readonly waits: (name: string, holder: string) => void;
  },
) => Promise<void>;

/** Says what is wrong with a value, in the words of ajv errors; empty: it fits. */
export type CheckSchema = (
  schema: JsonObject,
  value: Json,
  isMatch: (pattern: string, text: string) => boolean,
) => readonly ValidationError[];

/** Action lists that arrive as data, compiled: what the plan and the program of a file would hold of them. */
export interface CompileActions {
  /** Ids begin with `prefix`. Throws a failure that tells the first findings. */
  list(actions: Json, prefix: string, around: Around): Promise<CompiledActions>;
  files(paths: readonly string[], prefix: string, around: Around): Promise<readonly CompiledActions[]>;
  check(actions: Json, around: Around): Promise<ActionCheck>;
}

/**
 * Surroundings in which lists are compiled: folders of the unit that runs them, since a list that is data
 * stands in the file that holds it, and the host of its run.
 */
export interface Around extends Pick<Base['folders'], 'root' | 'here'> {
  readonly host: Host;
  /** Ends a compilation that is done beside the run. */
  readonly signal?: AbortSignal;
}

export interface CompiledActions extends Linked {
  /** Files to run; each stands after those that it depends on. */
  readonly parts: readonly CompiledPart[];
}

/** One file, or the list itself. */
export type CompiledPart = Pick<Unit, 'source' | 'after' | 'inputs' | 'setup' | 'body' | 'teardown'>;
