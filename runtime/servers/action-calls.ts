import type { Settings } from '#runtime/kernel/ports.ts';
import type { Exposition, Metrics } from '#runtime/services/metrics/port.ts';
import type { Progress } from '#runtime/services/progress/port.ts';
import type { ProgressSnapshot } from '#runtime/services/progress/snapshot.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { AccessList } from './access-list.ts';

/** Door of the engine for servers: they know the compiler by this interface alone. */
export interface ActionCalls {
  /** Commands that run, by name. */
  commands(): Promise<readonly ServedCommand[]>;
  /**
   * Runs a list of actions in a unit of its own, with the gates closed that are closed for what comes over a network.
   * Nothing has run where it rejects: with `ActionNotPermittedException` for a command that the access list refuses,
   * wherever it stands in the list, and with `ValidationException` for what is no list of actions.
   */
  run(actions: Json, options: CallOptions): Promise<ActionAnswer>;
  /** Named transfers of all calls, in the order in which they began. */
  transfers(): readonly ProgressSnapshot[];
  /** Jobs that calls of all callers have begun, and that go on. */
  jobs(): readonly ServedJob[];
  /** Counts and durations of the steps of all calls. */
  metrics(): Exposition;
  /** Ends what calls have left running: watches, schedules. */
  close(): Promise<void>;
}

/** Makes the calls of a project. */
export type OpenActionCalls = (around: CallsAround) => Promise<ActionCalls>;

export interface CallsAround {
  readonly host: Host;
  /** Project root, absolute. */
  readonly root: string;
  /** Folders and files beside the project that callers reach, absolute; `anywhere`: nothing holds them to folders. */
  readonly outside: readonly string[] | 'anywhere';
  /** Whether callers read the environment of this process, and secret files. */
  readonly environment: boolean;
  /** Collector of the transfers that calls make. */
  readonly progress: Progress;
  /** Collector that counts their steps. */
  readonly metrics: Metrics;
  /** Limits and the like. Gates are those for what comes over a network, less those that are closed here. */
  readonly settings?: Partial<Settings>;
}

export interface ServedJob {
  readonly kind: 'watch' | 'schedule' | 'integrity';
  readonly name: string;
  /** Path that is watched, cron expression, or manifest. */
  readonly of: string;
  /** Undefined where they are not counted. */
  readonly runs: number | undefined;
  /** Whether its last run went well; undefined before the first has ended. */
  readonly isFine: boolean | undefined;
}

export interface ServedCommand {
  readonly name: string;
  readonly summary: string;
  /** JSON Schema of its parameters, by name. */
  readonly parameters: JsonObject;
  /** Parameters by their other names. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly effects: readonly string[];
  /** May be called again with the same outcome. */
  readonly repeat: 'pure' | 'idempotent' | 'once';
  /** Starts programs or servers: hidden from whoever is not allowed it by name. */
  readonly isPowerful: boolean;
}

export interface CallOptions {
  readonly access: AccessList;
  readonly signal: AbortSignal;
  /** Tells what would run, runs nothing. */
  readonly dryRun?: boolean;
}

export interface ActionAnswer {
  /** Result of each action, by `execute[<index>]: ` and the action as it was given. */
  readonly results: JsonObject;
  readonly failed: number;
  /** Names of all commands of the list, in lists inside of it too. */
  readonly commands: readonly string[];
}
