import type { CommandFacts } from '#schemas/types/command.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import type { ControlKind, ControlNode, Node, Unit, Value } from '#schemas/types/plan.ts';
import type { RunRecord, StepStatus } from '#schemas/types/record.ts';
import type { Validate } from '#schemas/types/validation.ts';

import type { Cancellation } from './cancellation.ts';
import type { Counts, RunEvent } from './events.ts';
import type { Guard } from './guard.ts';
import type { CheckSchema, CompileActions, Implementation, Linked, Load, MakeFailure } from './linked.ts';
import type { RunOptions } from './options.ts';
import type { Pool } from './pool.ts';
import type {
  BlockRetry,
  Block,
  Chance,
  Environment,
  Evidence,
  Executor,
  PortName,
  Ports,
  Settings,
  WriteObserver,
  StepInfo,
} from './ports.ts';
import type { Masker } from './records/masker.ts';
import type { Scope } from './scope.ts';
import type { StepHooks } from './step-hooks.ts';
import type { StepObservers } from './step-observer.ts';
import type { Filling, Surroundings, World } from './values/surroundings.ts';
import type { Values } from './values/values.ts';

/**
 * Types by which the layers of the kernel know one another. A run holds units, a unit lists, a list steps; a
 * step may hold lists again. Each knows those below it by their modules, and those above it only by these
 * types, so that no module imports one that imports it.
 */

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A run as its units and steps see it (`run-state.ts`). */
export interface RunView {
  readonly id: string;
  readonly startedAt: number;
  readonly host: Host;
  readonly options: RunOptions;
  readonly settings: Settings;
  readonly program: ProgramView;
  readonly masker: Masker;
  readonly pool: Pool;
  /** The part that fills references; throws where it is not linked. */
  readonly values: Values;
  /** The part that runs nested lists; throws where it is not linked. */
  readonly blocks: Blocks;
  /** The part that runs control forms; throws where it is not linked. */
  readonly controls: Controls;
  /** Reason why the run ends early from outside. */
  readonly stopped: string | undefined;
  /** A step failed and the run ends at the first failure. */
  halted: boolean;
  /** Records so far, where some command asks for them. */
  readonly kept: readonly RunRecord[] | undefined;
  /** Whether some reference asks what became of earlier steps. */
  readonly remembers: boolean;
  readonly hasReporters: boolean;
  /** Whether what commands show beside their results reaches anybody. */
  readonly showsEvidence: boolean;
  emit(event: RunEvent): void;
  record(record: RunRecord): void;
  flush(): void;
  /** A moment as records tell it: ISO 8601, UTC. */
  isoTime(at: number): string;
  /** Number of earlier runs of this node in this run and row; counts this one. */
  occurrence(key: string): number;
  /** The folder of `${run.tmp}`, made when it is first asked for. */
  temporary(): Promise<string>;
}

/** A program as steps see it: what it is called in records, and the compiler where it is linked. */
export interface ProgramView {
  readonly hash: string;
  readonly parts?: { readonly compile?: Load<CompileActions>; readonly inputs?: Load<CheckSchema> };
}

/** An action file at work, as its lists and steps see it (`units/unit-run.ts`). */
export interface UnitView {
  readonly run: RunView;
  readonly unit: Unit;
  readonly world: World;
  readonly environment: Environment;
  readonly guard: Guard;
  readonly counts: Mutable<Counts>;
  /** Observers of its steps; made when the first one asks. */
  readonly observers: StepObservers | undefined;
  /** Hooks into its steps; undefined where nobody takes part. */
  readonly hooks: StepHooks | undefined;
  /** Set when ports are let go: nothing may begin any more. */
  readonly released: boolean;
  isSecretKey(key: string): boolean;
  /** Chance of this step's next turn, by the seed; `call` is told the seed once a value is drawn. */
  chance(id: string, row: number | undefined, call: Call): Chance;
  use(command: string, linked: Linked): CommandView;
  port<Name extends PortName>(name: Name, linked: Linked): Promise<Ports[Name]>;
  /** Loads the part that runs steps at the same time; linked only where a plan has some. */
  graph(): Promise<RunGraph>;
  /** Evidence from the open ports of a failed step; undefined where none has something. */
  evidence(use: CommandView): Promise<readonly Evidence[]> | undefined;
  /** Remembers the state of the open ports; what it yields brings that back, and says why where it could not. */
  readonly lists: { keep(): Promise<() => Promise<string | undefined>> } | undefined;
}

/** A command as one unit uses it: loaded, with its ports open (`steps/command-use.ts`). Steps share it. */
export interface CommandView {
  readonly name: string;
  readonly facts: CommandFacts;
  /** Does something that outlives the process: records must be safe before it begins. */
  readonly outside: boolean;
  /** Ports that each step gets of its own. */
  readonly ownPorts: readonly PortName[];
  /** Set once `open` has ended. */
  readonly implementation: Implementation | undefined;
  readonly shared: readonly { readonly name: PortName; readonly port: unknown }[];
  /** Makes the failure of a result that says no, in the words that the declaration names. */
  readonly makeFailure: MakeFailure | undefined;
  /** Checks parameters, where the command is called with references. */
  readonly validate: Validate | undefined;
  /** Loads the function and opens the ports; what failed is tried again by the next step. */
  open(): Promise<Implementation>;
}

/** The surroundings of a list of steps: its unit, the variables it sees, and what can cancel it. */
export interface Frame extends Surroundings {
  readonly unit: UnitView;
  readonly scope: Scope;
  readonly linked: Linked;
  readonly part: 'setup' | 'body' | 'teardown';
  readonly cancel: Cancellation;
  /** The step that holds this list. */
  readonly parent?: string;
  /** Number of lists around this one. */
  readonly depth: number;
  /** Policy for another try of a failed step, and the list that it was given for. */
  readonly retry?: { readonly policy: BlockRetry; readonly nodes: readonly Node[] };
  /** The calls of the commands around this list, as their services know them. */
  readonly around?: readonly StepInfo[];
  /** The calls of the steps around this list. */
  readonly calls?: readonly Call[];
  /** Observer of what the steps of this list do to files. */
  readonly onWrite?: WriteObserver;
  /**
   * The file that a step uses and whose steps these are: how their ids begin, and its own start of relative addresses.
   */
  readonly used?: { readonly prefix: string; readonly base_url?: Value };
  /** Holds what is told of the steps until it is known whether their attempt was the last. */
  readonly hold?: Hold;
}

/** Takes what is to be told of steps, in order. */
export interface Hold {
  add(tell: (superseded: boolean) => void): void;
}

/** Outcome of a step. */
export interface StepEnd {
  readonly status: StepStatus;
  readonly result?: unknown;
  readonly failure?: Failure;
  /** Value that the command had when it failed. */
  readonly failedWith?: unknown;
  readonly reason?: string;
  /** From its beginning to its end, waits between attempts included; absent where it was skipped. */
  readonly duration_ms?: number;
}

/** Outcome of a list of steps. */
export interface ListEnd {
  /** Outcomes by index; empty where they were not to be collected. */
  readonly steps: readonly (StepEnd | undefined)[];
  readonly failed: number;
  /** The first failure among them. */
  readonly failure?: Failure;
  /** The step whose failure ended the list. */
  readonly stoppedBy?: string;
}

/** Runs steps as soon as what they depend on has ended: the part `graph` (`graph.ts`). */
export type RunGraph = (nodes: readonly Node[], frame: Frame, options: GraphOptions) => Promise<ListEnd>;

export interface GraphOptions {
  readonly failed: 'skip-dependents' | 'run-dependents' | 'stop';
  readonly workers: number;
  readonly chosen?: (node: Node) => boolean;
}

/**
 * Runs lists that a parameter holds, or that arrive as data: the part `blocks` (`blocks.ts`). Linked only where a plan
 * has some.
 */
export interface Blocks {
  block(nodes: readonly Node[], attempt: AttemptView): Block;
  executor(attempt: AttemptView): Executor;
}

/**
 * Runs control forms (`compiler/language/control.md`): the part `controls` (`control/controls.ts`). Linked only where a
 * plan has some.
 */
export interface Controls {
  /** The stand-in for a command in a step that is a control form. */
  use(kind: ControlKind): CommandView;
  /**
   * One attempt: runs the blocks and yields the form's result. `filling`: what came to light when `args` were filled.
   * Rejects where the form itself fails; failures of steps inside are left with the attempt.
   */
  run(
    node: ControlNode,
    args: Readonly<Record<string, unknown>>,
    attempt: AttemptView,
    filling: Filling,
  ): Promise<unknown>;
  /** The surroundings of the steps inside in a dry run: what only a run could know is unknown there. */
  dry(node: ControlNode, frame: Frame): Frame;
  /** Provisions that the steps inside would have made. */
  provided(node: ControlNode): readonly string[];
  /**
   * A hold on the reports of one attempt's steps: they wait until `release`, then go on to `outer`, or to
   * everybody.
   */
  hold(outer: Hold | undefined): ReleasableHold;
}

export interface ReleasableHold extends Hold {
  release(superseded: boolean): void;
}

/** One attempt of a step, as the lists that it holds see it (`steps/attempt.ts`). */
export interface AttemptView {
  readonly node: Node;
  /** Undefined until its command is called, and of a control form. */
  readonly info: StepInfo | undefined;
  readonly frame: Frame;
  readonly cancel: Cancellation;
  readonly call: Call;
  /** Arguments of the step's call; undefined until then. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** The step is over; what its command still does is done in the background. */
  readonly ended: boolean;
  /** Another attempt may follow: what is told of the steps of its blocks waits here. */
  readonly hold?: ReleasableHold | undefined;
  /** Steps of its lists that failed, and the first of these failures. */
  nestedFailed: number;
  firstNested: Failure | undefined;
}

/** One call of a command, for as long as it may have effects. */
export interface Call {
  /** Cancelled or timed out: what the command still does must not count. */
  abandoned: boolean;
  readonly evidence: Evidence[];
  /** Seed of the values that it drew. */
  seed?: number;
  /** Work that goes on after a cancellation in a time of its own, and is waited for: files that have a teardown. */
  lasting?: Set<Promise<unknown>>;
}
