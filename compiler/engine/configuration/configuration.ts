import type { LintConfiguration } from '#compiler/phases/lint/rule.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { JsonObject } from '#schemas/types/json.ts';

/** `svc.config.yaml` or `svc.config.json` of a project root (`config.schema.json`). */
export interface Configuration {
  /** Absolute; absent where there is none. */
  readonly file?: string;
  readonly lint: LintConfiguration & {
    readonly ignore?: readonly string[];
    /** For some files, by pattern. */
    readonly paths?: Readonly<Record<string, LintConfiguration>>;
  };
  /** The run part, which compiled programs carry. */
  readonly settings: Settings;
  readonly defaults: Readonly<Record<string, JsonObject>>;
  readonly limits: NonNullable<Settings['limits']>;
  readonly reporters: readonly string[];
  /** Runs whose reports stay in the project's state folder. */
  readonly keepReports: number;
  /** Folders and files outside of the project root that the compiler may read (`allow_outside`), absolute. */
  readonly outside: readonly string[];
}
