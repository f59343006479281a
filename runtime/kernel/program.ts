import type { CommandFacts } from '#schemas/types/command.ts';
import type { Failure, FailureOptions } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Places, Plan, RowSource, Unit } from '#schemas/types/plan.ts';
import type { Validate, ValidationError } from '#schemas/types/validation.ts';

import type { Blocks } from './blocks.ts';
import type { RunGraph } from './graph.ts';
import type { ActionCheck, Base, PortName, Provider, Settings } from './ports.ts';
import type { Values } from './values/values.ts';

/** An implementation as the kernel calls it: parameters filled, checked and with defaults. */
export type Implementation = (params: Readonly<Record<string, unknown>>, ctx: Base) => unknown;

export type Load<T> = () => T | Promise<T>;

/** What a run needs beside the host: the plan and everything that it names, linked or loaded on first use. */
export interface Program {
  readonly plan: Plan;
  /** SHA-256 of the canonical plan, in hex. */
  readonly hash: string;
  readonly places: Places;
  readonly commands: Readonly<Record<string, Load<Implementation>>>;
  readonly ports: { readonly [Name in PortName]?: Load<Provider<Name>> };
  /** For commands that are called with references: their arguments are known only at run time. */
  readonly validators: Readonly<Record<string, Load<Validate>>>;
  /** Makers of the failures that `verdict.message` names, by that slug; without one the kernel's own words are used. */
  readonly verdicts?: Readonly<Record<string, Load<MakeFailure>>>;
  /** Parts of a run that not every plan needs. */
  readonly parts?: Parts;
  readonly settings: Settings;
}

/** The arguments of the message stand beside the options. */
export type MakeFailure = (options: FailureOptions & Readonly<Record<string, unknown>>) => Failure;

/** Linked only where the plan asks for them. */
export interface Parts {
  /** References, conditions, captures and inputs: `runtime/kernel/values/values.ts`. */
  readonly values?: Load<Values>;
  /** Parameters that hold steps, and the port `executor`: `runtime/kernel/blocks.ts`. */
  readonly blocks?: Load<Blocks>;
  /** Units with `order.kind: graph`, and blocks that run at the same time: `runtime/kernel/graph.ts`. */
  readonly graph?: Load<RunGraph>;
  /** Units with `rows`: `runtime/adapters/dataset/read-rows.ts`. */
  readonly rows?: Load<ReadRows>;
  /** Units with `inputs`: `runtime/kernel/values/check-schema.ts`. */
  readonly inputs?: Load<CheckSchema>;
  /** Where a command needs `executor`: the compiler. */
  readonly compile?: Load<CompileActions>;
  /** What stands behind the commands of modules (`facts.module`): `runtime/adapters/modules/call-module.ts`. */
  readonly modules?: Load<Implementation>;
}

/** The rows of a dataset. Throws a failure where it cannot be read. */
export type ReadRows = (source: RowSource, path: string, host: Host) => AsyncIterable<JsonObject>;

/** What is wrong with a value, in the words of ajv errors; empty: it fits. */
export type CheckSchema = (
  schema: JsonObject,
  value: Json,
  isMatch: (pattern: string, text: string) => boolean,
) => readonly ValidationError[];

/** Action lists that arrive as data, compiled: what the plan and the program of a file would hold of them. */
export interface CompileActions {
  /** Ids begin with `prefix`. Throws a failure that tells the first findings. */
  list(actions: Json, prefix: string, folders: Folders): Promise<CompiledActions>;
  files(paths: readonly string[], prefix: string, folders: Folders): Promise<readonly CompiledActions[]>;
  check(actions: Json, folders: Folders): Promise<ActionCheck>;
}

/** Those of the unit that runs the actions: a list that is data stands in the file that holds it. */
export type Folders = Pick<Base['folders'], 'root' | 'here'>;

export interface CompiledActions extends Linked {
  /** What it depends on comes first. */
  readonly parts: readonly CompiledPart[];
}

/** One file, or the list itself. */
export type CompiledPart = Pick<Unit, 'source' | 'after' | 'inputs' | 'setup' | 'body' | 'teardown'>;

/** Where the kernel finds what a node names. */
export interface Linked {
  /** What the ids of an action list begin with that arrived as data, in front of a dot and what its author wrote. */
  readonly prefix?: string;
  readonly facts: Readonly<Record<string, CommandFacts>>;
  readonly places: Places;
  readonly commands: Program['commands'];
  readonly ports: Program['ports'];
  readonly validators: Program['validators'];
  readonly verdicts?: Program['verdicts'];
}

/** Results that are not JSON are recorded as `{"$handle": kind}`. */
export interface Handle {
  readonly $handle: string;
}
export type Result = Json | Handle | undefined;
