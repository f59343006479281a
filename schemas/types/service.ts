import type { CommandInfo, Gate } from './command.ts';
import type { Json, JsonObject } from './json.ts';
import type { Plan } from './plan.ts';
import type { RunEvent, RunOutcome } from './run-event.ts';

/**
 * Checks, plans, lists and runs actions of one project. Servers, editors and other programs know svc by this interface
 * alone, and need no code of the compiler.
 */
export interface ActionService {
  /** Findings of all phases before the plan. Rejects only for sources that cannot be read. */
  check(sources: readonly SourceGiven[]): Promise<Findings>;
  /** The sealed plan. Rejects for sources with errors. */
  plan(sources: readonly SourceGiven[]): Promise<Plan>;
  /** Declared commands. */
  list(): Promise<readonly CommandInfo[]>;
  /** Begins a run; what is wrong with the request, or with its sources, rejects the outcome before anything has run. */
  run(request: RunRequest): RequestedRun;
}

/** An action file of the project. */
export interface SourceGiven {
  /** Path from the project root. */
  readonly path: string;
  /** Text of the file as its author sees it; absent: what is on the disk. */
  readonly content?: string;
}

/** Findings in their machine form (`diagnostic.schema.json`). */
export interface Findings {
  readonly diagnostics: readonly JsonObject[];
  /** Number of files that were looked at. */
  readonly files: number;
}

/** A run that was asked for. */
export interface RequestedRun {
  readonly id: string;
  /**
   * Events in order, for one reader; they end with the run. Some thousand wait until they are read. Events that
   * find no room are left out, and a notice of level `warning` stands in their place; the ends of files and of the
   * run are always told.
   */
  readonly events: AsyncIterable<RunEvent>;
  readonly outcome: Promise<RunOutcome>;
  /** No new steps; what runs is cancelled; teardown and release happen. */
  stop(reason: string): void;
}

/** A run as a caller asks for it (`run-request.schema.json`): plain JSON, with either sources or a plan. */
export interface RunRequest {
  readonly sources?: readonly SourceGiven[];
  /** A plan that `plan` gave: held to the declarations of this version before anything runs. */
  readonly plan?: Plan;
  readonly selection?: SelectionGiven;
  readonly settings?: RunSettingsGiven;
  /** Gates to open or close. Over a network none can be opened. */
  readonly gates?: Readonly<Partial<Record<Gate, boolean>>>;
  readonly variables?: Readonly<Record<string, Json>>;
  /** Step at which a file begins. Refused where a later step needs what the steps before it would have made. */
  readonly resume_from?: ResumePoint;
}

/** A step of a body. The steps before it are recorded as skipped; setup and teardown run as ever. */
export interface ResumePoint {
  /** Its name or id, or its position from 1. */
  readonly step: string | number;
  /** Path from the project root, where the request runs several files. */
  readonly file?: string;
}

/** Files and steps that run; those of everything where nothing is said. */
export interface SelectionGiven {
  /** Tag filters; several select what any of them selects. */
  readonly tags?: readonly string[];
  readonly exclude_tags?: readonly string[];
  /** Text in a path, name or id. */
  readonly grep?: string;
  /** `index/total`. */
  readonly shard?: string;
  /**
   * Combinations of matrices: keys with the values that they may have. A file without one of the keys is not selected.
   */
  readonly matrix?: Readonly<Record<string, readonly string[]>>;
  /** Files that failed in the last run. */
  readonly last_failed?: boolean;
  /** False: files named by `depends_on` are not pulled in. */
  readonly dependencies?: boolean;
}

/** Settings for running the files of a run. */
export interface RunSettingsGiven {
  /** Environment profile: `.env.<name>` is read. */
  readonly environment?: string;
  readonly dry_run?: boolean;
  readonly fail_fast?: boolean;
  /** The same seed gives the same fake values. */
  readonly seed?: number;
  /** Does not stay for watches and schedules. */
  readonly once?: boolean;
  /** Each file has a process of its own. */
  readonly isolate?: boolean;
  /** Files at once. */
  readonly workers?: number;
  /** More attempts of every step without a `retry`. */
  readonly retries?: number;
  /** Number of runs of each file. */
  readonly repeat?: number;
  readonly headed?: boolean;
  /** Wait between browser actions (ms). */
  readonly slow_mo_ms?: number;
  /** Stores snapshots and baselines that differ or are missing. */
  readonly update_snapshots?: boolean;
}
