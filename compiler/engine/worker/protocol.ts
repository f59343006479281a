import type { RunEvent, UnitOutcome } from '#runtime/kernel/events.ts';
import type { Given } from '#runtime/kernel/options.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Places, Plan } from '#schemas/types/plan.ts';
import type { SettledPrograms } from '#schemas/types/host.ts';
import type { RunRecord } from '#schemas/types/record.ts';

/** A variable on its way from one process to another. */
export interface CarriedVariable {
  readonly name: string;
  readonly value: unknown;
  readonly secret: boolean;
  /** Text from outside: read as JSON where a schema takes only numbers or booleans. */
  readonly text: boolean;
}

/** State that crosses from unit to unit: in one process it would be in memory. */
export interface Carried {
  readonly variables: readonly CarriedVariable[];
  /** Values that are hidden in everything that is written. */
  readonly secrets: readonly (string | number)[];
  /** Number of runs of each node so far, by id and row. */
  readonly occurrences: readonly (readonly [node: string, count: number])[];
}

/** Job of a process that runs one unit. */
export interface UnitJob {
  readonly kind: 'job';
  /** A plan to link again, or a compiled program's file. */
  readonly program:
    | { readonly plan: Plan; readonly hash: string; readonly places: Places; readonly settings: Settings }
    | { readonly file: string };
  readonly source: string;
  readonly repeat: number;
  /** Steps of the body that run, those inside others too, by id; absent: all. */
  readonly chosen?: readonly string[];
  /** Id of the step of the body at which it begins. */
  readonly resumedAt?: string;
  readonly cwd: string;
  readonly root: string;
  readonly run: string;
  readonly startedAt: number;
  /** Seed of the run, unless a flag gives another. */
  readonly seed: number;
  readonly temporary: string;
  readonly variables: Readonly<Record<string, Given>>;
  readonly environment: { readonly name?: string; readonly file?: string };
  readonly settings: Partial<Settings>;
  readonly flags: {
    readonly dryRun: boolean;
    readonly failFast: boolean;
    readonly once: boolean;
    readonly retries: number;
    readonly repeat: number;
    readonly seed?: number;
  };
  readonly record?: string;
  /** Folder for the evidence of failed steps, and the folders that writes keep to; absent where nobody asks for it. */
  readonly evidence?: { readonly folder: string; readonly bounds: readonly string[] };
  /** Records of the run so far, where a command of the unit asks for them. */
  readonly kept?: readonly RunRecord[];
  readonly carried: Carried;
  /** Programs found before the first step of the run. */
  readonly programs?: SettledPrograms;
}

/** Message from a run to its worker. */
export type ToWorker = UnitJob | { readonly kind: 'stop'; readonly reason: string } | { readonly kind: 'halt' };

/** Message from a worker to its run. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'event'; readonly event: RunEvent }
  /** A step failed, and the run ends at the first failure. */
  | { readonly kind: 'halted' }
  /** `lost`: why records could not be written. */
  | { readonly kind: 'ended'; readonly outcome: UnitOutcome; readonly carried: Carried; readonly lost?: string }
  /** Events that the run was too slow to take, or that were too large. */
  | { readonly kind: 'left-out'; readonly count: number }
  /** The unit's outcome cannot be told, for this reason. */
  | { readonly kind: 'cut'; readonly reason: string }
  /** A bug of ours, with its stack. */
  | { readonly kind: 'bug'; readonly text: string };
