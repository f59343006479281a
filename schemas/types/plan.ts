import type { CommandFacts } from './command.ts';
import type { Condition } from './condition-tree.ts';
import type { Json, JsonObject } from './json.ts';
import type { SourceId } from './place.ts';
import type { Ref } from './reference.ts';

/**
 * The compiled form of action files, which the kernel runs: plain, canonical JSON. No functions, places,
 * absolute paths, time stamps or flags of a run. Every decision is taken: names are migrated, arguments named,
 * defaults filled.
 */
export interface Plan {
  readonly version: 1;
  /** Dependencies first. */
  readonly units: readonly Unit[];
  /** Facts about each command that the units call, by name, for the kernel. */
  readonly commands: Readonly<Record<string, CommandFacts>>;
}

/** One action file, or one combination of its matrix: then `<path>[key=value,…]` is its `source`. */
export interface Unit {
  readonly source: SourceId;
  /** The path, where `source` names a combination. */
  readonly file?: SourceId;
  /** The values of `${MATRIX.key}`. */
  readonly matrix?: JsonObject;
  /** Units that name one lock never run at once. */
  readonly locks?: readonly string[];
  readonly name?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** The environment that `meta.env` names. */
  readonly env?: string;
  /** The only environment keys that its steps may read; all without it. */
  readonly env_keys?: readonly string[];
  readonly base_url?: Value;
  readonly inputs: readonly Input[];
  /** Sessions that a caller must bring (`meta.sessions`): it cannot run alone. */
  readonly sessions?: readonly string[];
  /** Environment keys to mask beside those known by their form. */
  readonly secrets: readonly string[];
  /**
   * Modules whose functions it may call, listed or added by steps: packages, and files by `./path` from the project
   * root.
   */
  readonly modules: readonly string[];
  readonly rows?: RowSource;
  readonly setup: readonly Node[];
  readonly body: readonly Node[];
  readonly teardown: readonly Node[];
  readonly order: Order;
  /** Units that run before this one; along the edge only final variables cross. */
  readonly after: readonly SourceId[];
  readonly timeout_s?: number;
  readonly run_for_s?: number;
  /** Decides the fake values of this file. */
  readonly seed?: number;
  readonly needs: Needs;
}

export type Order =
  /** `stated`: the file itself says so; else the form of its body does. */
  | { readonly kind: 'list'; readonly on_failure: OnFailure; readonly stated?: true }
  | {
      readonly kind: 'graph';
      readonly failed: 'skip-dependents' | 'run-dependents' | 'stop';
      readonly max_workers: number;
    };

export type OnFailure = 'stop' | 'continue';

/** A variable that comes from outside (`meta.inputs`). */
export interface Input {
  readonly name: string;
  readonly schema: JsonObject;
  readonly default?: Json;
  readonly secret: boolean;
}

/** A dataset: `path` from the project root where it was found at compile time, else as written. */
export interface RowSource {
  readonly path: string;
  readonly format: 'csv' | 'json' | 'jsonl';
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly limit?: number;
}

/** Everything that the run will ask of its surroundings, sorted. */
export interface Needs {
  readonly commands: readonly string[];
  readonly effects: readonly string[];
  readonly ports: readonly string[];
  readonly gates: readonly string[];
  readonly env: readonly string[];
  readonly files: readonly string[];
  readonly hosts: readonly string[];
  readonly packages: readonly string[];
}

/** A call of a command, or a control form (`compiler/language/control.md`): `kind` is absent for a call. */
export type Node = CallNode | ControlNode;

/** Properties of every node. `id` is `<path from root>#<id or index>`; nested: `<parent>.<block>.<index>`. */
interface NodeHead {
  readonly id: string;
  /** The command that is called; of a control form its word, which its record carries too. */
  readonly command: string;
  /**
   * Values by name. Lists of steps are values too (`block`): everything that goes into nested steps finds them here.
   */
  readonly args: Readonly<Record<string, Value>>;
  readonly name?: string;
  /** The name in pieces, where it holds references. */
  readonly title?: readonly (string | Ref)[];
  readonly tags?: readonly string[];
  readonly when?: Condition;
  readonly expect?: readonly Condition[];
  readonly save_as?: readonly Capture[];
  readonly retry?: Retry;
  readonly timeout_s?: number;
  readonly on_failure?: OnFailure;
  /** Ids of steps of the same body that must have passed. */
  readonly after?: readonly string[];
  /** `variable:NAME`, `session:NAME` and `module:PLACE` that this step makes. */
  readonly provides?: readonly string[];
  /**
   * Provisions of the same kinds that this step needs; it is skipped, with that reason, where an earlier step
   * failed to make one.
   */
  readonly uses?: readonly string[];
  /** Present where the step says what it wants of the status: an HTTP status decides nothing by itself. */
  readonly status_judged?: true;
}

/**
 * One call; where the facts of its command say `module`, of a function of a module, and `args` are those of
 * `ModuleCall`.
 */
export interface CallNode extends NodeHead {
  readonly kind?: undefined;
}

export type ControlNode = ForEachNode | GroupNode | IfNode | ParallelNode | UntilNode | UseNode;
export type ControlKind = ControlNode['kind'];

/** Steps under one name. Blocks: `group`, and `always`, which runs on every path. */
export interface GroupNode extends NodeHead {
  readonly kind: 'group';
}

/**
 * A loop. Values: `for_each`, or `from`, `to` and `step` of a range; `max_workers`. Block: `do`, in which `<as>`,
 * `<as>_index` and `item_index` are variables that nothing else sees.
 */
export interface ForEachNode extends NodeHead {
  readonly kind: 'for_each';
  readonly as: string;
  /** Iterations are branches: none sees what another one writes, and nothing of it is left afterwards. */
  readonly branches?: true;
  /** Filled at the end of each iteration, in its scope. */
  readonly collect?: Value;
}

/** Branches as in a graph. Value: `max_workers`. Blocks: `parallel.<branch>`. */
export interface ParallelNode extends NodeHead {
  readonly kind: 'parallel';
  /** The names of its blocks in the order in which they are listed. */
  readonly blocks: readonly string[];
}

/** A block, `do`, that is repeated until the condition holds. Values: `interval_s`, `max_s`, `max_attempts`. */
export interface UntilNode extends NodeHead {
  readonly kind: 'until';
  readonly condition: Condition;
}

/**
 * A file as a function: its steps, in a scope that begins with its inputs alone. Value: `with`, an object. Blocks:
 * `setup`, `body`, `teardown`. Ids of its steps are `<holder>.use.<id or index>`.
 */
export interface UseNode extends NodeHead {
  readonly kind: 'use';
  readonly source: SourceId;
  readonly inputs: readonly Input[];
  readonly order: Order;
  readonly base_url?: Value;
  /** Limit of the body. */
  readonly body_timeout_s?: number;
  /** Filled at the end of the body, in the file's scope: the result. */
  readonly returns?: Value;
}

/** Blocks: `then` and `else`, of which one may be missing. */
export interface IfNode extends NodeHead {
  readonly kind: 'if';
  readonly condition: Condition;
}

export type Value =
  | { readonly lit: Json }
  | { readonly text: readonly (string | Ref)[] }
  | {
      readonly ref: Ref;
      /** the schema takes no text: read ENV, env, ROW text as JSON; takes only text: write JSON */ readonly as?:
        | 'text'
        | 'json';
    }
  | { readonly list: readonly Value[] }
  | { readonly map: readonly (readonly [key: string, value: Value])[] }
  | { readonly block: readonly Node[] };

export interface Capture {
  readonly name: string;
  readonly path?: readonly (string | number)[];
  readonly match?: string;
  readonly secret?: true;
}

/** Waits are seconds. `max_attempts` absent: unlimited within `max_s`. */
export interface Retry {
  readonly max_attempts?: number;
  readonly interval_s?: number;
  readonly backoff_base_s?: number;
  readonly backoff_cap_s?: number;
  readonly max_s?: number;
  readonly on?: readonly string[];
}

/**
 * Place of a step in its source: stored beside the plan, never in its hash. `text` is the first line of the step, at
 * most 120 characters, masked.
 */
export interface Place {
  readonly file: SourceId;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Places of the conditions of its `expect`. */
  readonly expect?: readonly ConditionPlace[] | undefined;
  /** Places of the entries of its `save_as`, where one of them may find nothing. */
  readonly save_as?: readonly ConditionPlace[] | undefined;
  /** Place of its `when`. */
  readonly when?: ConditionPlace | undefined;
  /** Place of the condition of a control form. */
  readonly condition?: ConditionPlace | undefined;
  /**
   * The whole step, masked, at most 4000 characters; only where its file has just been compiled, and in programs that
   * make a page.
   */
  readonly source?: string | undefined;
}

/**
 * Place where a condition, or an entry of `save_as`, begins, in the file of its step, and its first line as that of the
 * step.
 */
export interface ConditionPlace {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}
/** Places of steps by node id, and of what else a file asks for by `metaKey`. */
export type Places = Readonly<Record<string, Place>>;

/** The key of a part of a unit's `meta` in the table of places; no step has it as its id. */
export function metaKey(source: SourceId, part: string): string {
  return `${source}#meta.${part}`;
}

/** Whether a key of the table of places is one of a part of `meta`. */
export function isMetaKey(key: string): boolean {
  return key.startsWith('meta.', key.lastIndexOf('#') + 1);
}
