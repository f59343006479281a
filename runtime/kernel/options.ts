import type { SettledPrograms } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import type { Reporter } from './events.ts';
import type { Settings } from './ports.ts';

/** Options of one run, which are not part of the plan. */
export interface RunOptions {
  /** The project root, absolute: plan paths start there. */
  readonly root: string;
  /** `--var`. */
  readonly variables?: Readonly<Record<string, Given>>;
  /** `--env` and `--dotenv`. */
  readonly environment?: { readonly name?: string; readonly file?: string };
  /** Laid over the settings of the program, each key whole, gates one by one. */
  readonly settings?: Partial<Settings>;
  readonly dryRun?: boolean;
  readonly failFast?: boolean;
  /** Does not stay for watches and schedules. */
  readonly once?: boolean;
  /** Files at once. */
  readonly workers?: number;
  /** More attempts of every step without a `retry`, except of commands that must not be repeated. */
  readonly retries?: number;
  /** Number of runs of each unit. */
  readonly repeat?: number;
  /** Steps of bodies that run; what they depend on runs too. Absent: all. */
  readonly chosen?: (unit: Unit, node: Node) => boolean;
  /**
   * Steps at which bodies begin, by the source of their unit: those before are skipped, and what they make is taken to
   * be there.
   */
  readonly resumedAt?: Readonly<Record<string, string>>;
  /** `--seed`: decides all fake values, whatever files and configuration say. */
  readonly seed?: number;
  readonly reporters?: readonly Reporter[];
  readonly records?: RecordSink;
  /** Fixed in tests and where runs are parts of one; else a new one. */
  readonly run?: string;
  /** Values of the environment that are secret because of their keys, where somebody has looked for them before. */
  readonly environmentSecrets?: readonly string[];
  /** State that the parts of one run share. */
  readonly shared?: SharedByParts;
}

/** Several programs, or units in processes of their own, that are told of as one run. */
export interface SharedByParts {
  /** Time (ms since 1970) at which the run began: what `${run.date}` shows. */
  readonly startedAt: number;
  /** Drawn once where nobody said a seed. */
  readonly seed: number;
  /** Number of runs of each node so far, by id and row. Written. */
  readonly occurrences: Map<string, number>;
  /** The folder of `${run.tmp}`; who gives it removes it. */
  readonly temporary: () => Promise<string>;
  /** Programs found before the first step of the run; absent: this part looks for them itself. */
  readonly programs?: SettledPrograms;
  /** An earlier part has failed, and the run ends at the first failure. */
  readonly halted: boolean;
}

/** A variable from outside: text is read as JSON where a schema takes only numbers or booleans. */
export type Given = { readonly text: string } | { readonly json: Json };

/** Takes records as steps end. */
export interface RecordSink {
  add(record: RunRecord): void;
  /** Everything added so far is with the operating system when this returns. */
  flush(): void;
  close(): void;
}
