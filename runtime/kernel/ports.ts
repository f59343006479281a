import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Clock, Digest, Files, Host, Processes, Random, RegExpMatch } from '#schemas/types/host.ts';
import type { PortSettings } from '#schemas/generated/settings.ts';
import type { Gate } from '#schemas/types/command.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { OnFailure } from '#schemas/types/plan.ts';
import type { RecordedError, RunRecord, StepStatus } from '#schemas/types/record.ts';
import type { Ref } from '#schemas/types/reference.ts';
import type { Evidence, StoredSnapshots } from '#schemas/types/run-event.ts';

import type { StepHooks } from './step-hooks.ts';
import type { StepObserver } from './step-observer.ts';

export type { Evidence, HttpMessage } from '#schemas/types/run-event.ts';

/**
 * Everything a command may ask for by `needs`. The kernel and the host give those below; a provider folder adds its own
 * by declaration merging (`declare module '#runtime/kernel/ports.ts' { interface Ports { http: HttpPort } }`) and says
 * in `port.yaml` which module opens it.
 */
export interface Ports {
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly chance: Chance;
  readonly processes: Processes;
  readonly digests: Digests;
  readonly regex: Regex;
  readonly variables: Variables;
  readonly environment: Environment;
  readonly records: Records;
  /** Runs action lists that arrive as data while the run goes on. */
  readonly executor: Executor;
  readonly references: References;
  readonly gates: Gates;
}
export type PortName = keyof Ports;

/** Context of every command, whatever it needs. */
export interface Base {
  /** Aborted by the step's time limit, an interrupt, or a stop: stop waiting, release, reject with its reason. */
  readonly signal: AbortSignal;
  readonly step: StepInfo;
  /** Working directory, project root, the action file's folder, and the home of whoever runs this; absolute. */
  readonly folders: { readonly cwd: string; readonly root: string; readonly here: string; readonly home?: string };
  /**
   * Shows something to reporters beside the record: a request with its answer, a picture, a text. Masked like records.
   */
  attach(evidence: Evidence): void;
  /** Refuses with a failure that names the gate unless the host has it open. */
  require(gate: Gate, subject: string): void;
  /** The value is masked from now on in everything that is written. */
  mask(secret: string): void;
  /**
   * The first `length` characters of a text from outside, for a message. Secrets are hidden before it is cut: a
   * part of one that the cut leaves is not known again.
   */
  excerpt(text: string, length: number): string;
  /** True where the configuration asks for writes that survive a power cut. */
  readonly durable: boolean;
}

export interface StepInfo {
  readonly id: string;
  readonly command: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The step says by itself what it wants of the status: an HTTP status decides nothing by itself. */
  readonly statusJudged: boolean;
  /** Present in teardown. */
  readonly inTeardown?: true;
  /** `meta.base_url`, filled. */
  readonly baseUrl?: string;
  /** Monotonic time (ms) of the host at which this attempt's time is over; absent: it has no limit of its own. */
  readonly deadline?: number;
  /**
   * The calls whose lists this step stands in, from the outermost: what a service knows of a call, it can ask for by
   * these.
   */
  readonly around?: readonly StepInfo[];
}

/** Chance for fake values: it repeats with the seed of the run. Values that must not be guessed take `random`. */
export interface Chance extends Pick<Random, 'number' | 'uuid'> {
  /** Names the seed that values of this step follow from instead of the run's: its record holds it. */
  seededBy(seed: number): void;
}

export interface Digests {
  /** Fails with the list of names where there is no such algorithm. */
  open(algorithm: string, length?: number): Digest;
  readonly names: readonly string[];
}

export interface Regex {
  /** Runs under a time limit; a limit that is hit is a failure of its own. */
  match(pattern: string, flags: string, text: string): RegExpMatch | null;
  /** One match after the other, found a few at a time, each time under the limit. */
  all(pattern: string, flags: string, text: string): Iterable<RegExpMatch>;
}

/** The unit's variable store; a branch sees its own writes and those of what it depends on. */
export interface Variables {
  get(name: string): Json | undefined;
  has(name: string): boolean;
  /** `reserved` names (`last_response`) are set only by the commands that own them. */
  set(name: string, value: Json, options?: { readonly secret?: boolean; readonly reserved?: boolean }): void;
  clear(): void;
  all(): Readonly<Record<string, Json>>;
}

/** Values of `${ENV.KEY}`: process environment over `.env.<name>` over `.env`. */
export interface Environment {
  /** For keys that a command itself knows, such as `HOME`. */
  get(key: string): string | undefined;
  /**
   * For keys that a step or its data names: fails for one that the unit does not declare, where it declares some.
   * `process`: nothing that was loaded beside it counts.
   */
  read(key: string, of?: 'process'): string | undefined;
  /**
   * Adds values. Those that a unit begins with replace each other. A step says `override`: true wins over all, false
   * leaves alone what the process or an earlier step has set.
   */
  load(values: Readonly<Record<string, string>>, options?: { readonly override?: boolean }): void;
  all(): Readonly<Record<string, string>>;
  /** The variables of the text of a `.env` file. Loads nothing. */
  parse(text: string): Readonly<Record<string, string>>;
}

export interface Records {
  /** The records of this run so far, in the order in which steps ended. */
  all(): readonly RunRecord[];
}

/** A parameter declared `list: run` arrives as a block: its steps are compiled with the file. */
export interface Block {
  readonly length: number;
  /** Whether one of its steps asks for `${event.…}`; of a list in it too, unless that is a background list. */
  readonly asksForEvent: boolean;
  /** The columns that its steps ask `${ROW.…}` for, but for those with a default; of lists in it too. Sorted. */
  readonly columns: readonly string[];
  /**
   * Runs the steps in order with records of their own. Resolves also when steps failed: the caller's step then fails by
   * itself.
   */
  run(options?: BlockOptions): Promise<BlockOutcome>;
  /**
   * Remembers what the open ports of the unit show now. What it yields brings that back, and says why where it could
   * not.
   */
  keepState(): Promise<() => Promise<string | undefined>>;
}

export interface BlockOptions {
  /** Variables that only this list sees, such as `event`. */
  readonly event?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /**
   * The row that `${ROW.…}` stands for, counted from 1. The list begins with the variables of its step, whatever other
   * rows wrote; what the last row wrote stays.
   */
  readonly datasetRow?: { readonly number: number; readonly values: JsonObject; readonly isLast: boolean };
  /**
   * Runs with the same object share variables, which begin as those of the step of the list; runs with another one
   * never see them. What the last side wrote stays.
   */
  readonly variablesOf?: { readonly isLast: boolean };
  /** Order of the list; one step after the other by default. */
  readonly order?: BlockOrder;
  /** Rule for a failing step without an option of its own: by default the rest still runs. In order; not of files. */
  readonly onFailure?: OnFailure;
  /** Records what would be called, calls nothing. */
  readonly dryRun?: boolean;
  /** Runs only the steps before this index. In order only. */
  readonly end?: number;
  /**
   * Decides whether a step of this list, or of a list in it, that failed is tried again. One with `retry` of its own is
   * not asked about.
   */
  readonly retry?: BlockRetry;
  /** Hears of what the list's steps, and those of lists in it, do to files through the port `files`. */
  readonly onWrite?: WriteObserver;
}

/** Paths are as the step gave them. Writes of programs and packages by themselves are not heard of. */
export interface WriteObserver {
  /** The step goes on when it has resolved. Neither may reject. */
  before(path: string): Promise<void>;
  /** Called also where the write failed. */
  after(path: string): Promise<void>;
}

export interface BlockRetry {
  /** Milliseconds until the step is tried again; undefined: it has failed. */
  wait(failure: Failure): number | undefined;
  /** After the wait, before the step at this index of the list is tried again; not called for steps of lists in it. */
  before?(index: number): Promise<void>;
}

/**
 * `parallel`: no step waits for another, at most `workers` run at once. `graph`: each begins as soon as the steps of
 * its `after` have ended; `skip-dependents`: what depends on a failed one is skipped.
 */
export type BlockOrder =
  | { readonly kind: 'list' }
  | { readonly kind: 'parallel'; readonly workers: number }
  | { readonly kind: 'graph'; readonly workers: number; readonly failed: 'skip-dependents' | 'run-dependents' };

export interface BlockOutcome {
  readonly failed: number;
  /** Result of each step that ran, by its index in the list; null for what did not. */
  readonly results: readonly Json[];
  /** Outcome of each step, by its index in the list, whatever the order in which they ran. */
  readonly steps: readonly BlockStep[];
}

export interface BlockStep {
  /** Id as written (of a step or of a graph node), else its index as text. */
  readonly id: string;
  readonly command: string;
  readonly status: StepStatus;
  /** Also the value that a failed step had: what differs, what became of the steps in its list. */
  readonly result?: Json;
  /** Present when failed. */
  readonly error?: RecordedError;
  /** The same, as it was thrown: not masked, so for decisions only. */
  readonly failure?: Failure;
  /** Reason why it was skipped. */
  readonly reason?: string;
  /** Absent where it was skipped. */
  readonly duration_ms?: number;
}

/** Programs import the package `svc` for it. */
export interface Executor {
  /** Compiles an action list that is data, with the compiler, and runs it in this unit. */
  run(actions: Json, options?: BlockOptions): Promise<BlockOutcome>;
  /**
   * Compiles action files, all of them before it resolves; fails with the first findings of each broken one. Nothing
   * has run then.
   */
  open(paths: readonly string[]): Promise<readonly Block[]>;
  /** Checks shapes, names and parameters of an action list, nested lists too. Runs nothing. */
  check(actions: Json): Promise<ActionCheck>;
}

export interface ActionCheck {
  /** Command names after migration, in order, top level only. */
  readonly commands: readonly string[];
  /** A line for each of the first errors, then one with the number of the others; empty: nothing is wrong. */
  readonly problems: readonly string[];
}

/** The gates of this unit, for commands that change them. */
export interface Gates {
  isOpen(gate: Gate): boolean;
  /** Closes a gate for the rest of the unit or takes that back; fails when it would open one that the host closed. */
  set(gate: Gate, open: boolean, subject: string): void;
}

/** Values of references at this moment, for this step. */
export interface References {
  /** Rejects where nothing has that name. Secrets among the values are masked from then on. */
  value(ref: Ref): Promise<Json>;
}

/**
 * A folder's `port.yaml` names the module that exports this as `provider`. One port is opened a unit, at its first use.
 */
export interface Provider<Name extends PortName> {
  open(context: PortContext): Ports[Name] | Promise<Ports[Name]>;
  /**
   * Evidence to show beside the record of a step that needs this port and has failed for good, such as a
   * picture of the page. Asked only where the port is open; whatever it rejects with is dropped. Must end when
   * the signal is aborted.
   */
  evidence?(port: Ports[Name], signal: AbortSignal): Promise<readonly Evidence[]>;
}

export interface PortContext {
  readonly host: Host;
  readonly folders: Base['folders'];
  readonly settings: Settings;
  /** Called at the end of the unit on every path, in reverse order. */
  release(close: () => void | Promise<void>): void;
  mask(secret: string): void;
  /** A value as it may leave the run: secrets are hidden in its texts. For what is written or sent beside records. */
  masked<Value extends Json>(value: Value): Value;
  isOpen(gate: Gate): boolean;
  /** Closed by somebody's word, which is more than not open. */
  isDenied(gate: Gate): boolean;
  /**
   * A live job: the unit stays until it is done, unless the run is told not to. It is stopped before ports are
   * released.
   */
  keep(job: BackgroundJob): void;
  /**
   * Sees the steps of this unit from now on, until the function that it yields is called. A unit without observers pays
   * nothing.
   */
  observe(observer: StepObserver): () => void;
  /** Takes part in the steps of this unit from now on; one a unit. A unit without hooks pays nothing. */
  hookSteps(hooks: StepHooks): void;
  /** The pictures and texts that the first of these ports has to show now, of those that are open in this unit. */
  showNow(ports: readonly PortName[]): Promise<readonly Evidence[]>;
  /**
   * Whoever keeps state from step to step says here how it is brought back, so that each row of a dataset starts from
   * the state after setup. `save` is called when setup is over, or at once in a row, and only in units with rows.
   */
  eachRow(save: SaveState): void;
  /** Tells people something that belongs to no step; what has the same `once` is told once a run. */
  notice(
    level: 'info' | 'warning',
    text: string,
    options?: { readonly once?: string; readonly snapshots?: StoredSnapshots },
  ): void;
  /** Writes lines to a stream of the process, one each, whatever reports there are. Secrets are hidden. */
  say(stream: 'stdout' | 'stderr', lines: readonly string[]): void;
  /** Something that all units of the run share, made by whoever asks first. It lives as long as the run. */
  ofRun<Thing>(key: string, make: () => Thing): Thing;
  /**
   * Another port of this unit, where `port.yaml` lists it under `needs`, or chooses it for what this step was given
   * (`choose`).
   */
  port<Name extends PortName>(name: Name): Promise<Ports[Name]>;
}

/** Remembers the state of this moment; what it yields brings that state back, as often as it is called. */
export type SaveState = () => Restore | Promise<Restore>;
export type Restore = () => void | Promise<void>;

/** A watch, a schedule, an integrity check: something that goes on after its step has ended. */
export interface BackgroundJob {
  readonly name: string;
  /** Resolves when it has ended by itself or was stopped. Never rejects. */
  readonly done: Promise<void>;
  stop(): void | Promise<void>;
}

/** The run part of the configuration, with the limits and sections that ports declare; compiled into programs. */
export interface Settings extends Readonly<PortSettings> {
  readonly gates: Readonly<Partial<Record<Gate, boolean>>>;
  readonly allow_packages?: readonly string[];
  readonly secrets?: { readonly file_root?: string; readonly env?: readonly string[] };
  readonly public_env?: readonly string[];
  readonly durable?: boolean;
  /** Given with one run, never configured: snapshots and baselines that differ or are missing are stored. */
  readonly update_snapshots?: boolean;
  /** Given by servers, never configured: steps read neither the process environment nor secret files. */
  readonly environment_closed?: boolean;
  /** Decides all fake values, unless the run or the file has a seed of its own. */
  readonly seed?: number;
}
