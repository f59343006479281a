import type { Document } from '#grammar/document/document.ts';
import type { ReadLimits } from '#grammar/document/limits.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Catalogue } from './catalogue.ts';
import type { Step } from './phases/3-parse/ast.ts';
import type { Reader } from './reader.ts';

/** Host of the compiler, as far as it needs one. */
export type CompileHost = Pick<Host, 'files' | 'env' | 'cwd' | 'digest' | 'parseEnv' | 'match' | 'clock'>;

/** Host of the phases: files they read through the reader alone. */
export type PhaseHost = Omit<CompileHost, 'files'>;

/** Purpose for which a door of `api.ts` is called. It decides only how severe some findings are. */
export type Verb = 'check' | 'lint' | 'migrate' | 'plan' | 'compile' | 'run';

export interface CompileOptions {
  /**
   * Project root, absolute. Absent: that of the first source (`compiler/language/references.md`); files of other
   * projects take a call of their own, as the command line makes.
   */
  readonly root?: string;
  /**
   * Folders and files outside of the root that may be read, absolute; `anywhere` where a run that may read all has
   * asked.
   */
  readonly outside?: readonly string[] | 'anywhere';
  /** Environment whose `.env.<name>` is read; wins over `meta.env`. */
  readonly env?: string;
  /** A file of environment variables in place of `.env`. */
  readonly dotenv?: string;
  /** Variables given from outside (`--var`). */
  readonly vars?: Readonly<Record<string, Json>>;
  readonly limits?: Partial<ReadLimits> & {
    /** Highest number of actions in a file, nested lists too. */ readonly actions?: number;
  };
  /** Command → parameters that its calls get unless they or `meta.defaults` give them (configuration). */
  readonly defaults?: Readonly<Record<string, JsonObject>>;
  /** Folder of actions that come without a file; the working directory where left out. */
  readonly here?: string;
  /** The steps will run in a unit that has begun: variables that nothing here defines are possible. */
  readonly isOpen?: boolean;
  /**
   * The only modules that may be loaded (configuration): packages with their subpaths, files and folders by `./path`
   * from the root.
   */
  readonly allow_packages?: readonly string[];
  /** Names of functions that the program around the compiler runs itself; called as those of modules are. */
  readonly functions?: ReadonlySet<string>;
  /**
   * Errors of a file that are kept, and as many other findings; all by default. Of more the number alone is known
   * (`Compilation.leftOut`): for whoever tells a few, and takes texts of strangers.
   */
  readonly mostFindings?: number;
  /** Hears of each step before and after it is followed. */
  readonly follow?: (step: FollowedStep) => void;
  /** Hears the size (bytes, or UTF-16 units of a text) of each source before a value is made of it. */
  readonly willRead?: (size: number) => void;
  /** Sees what each phase hands on: tests freeze it, so that no later phase can change it. */
  readonly observe?: (phase: 'read' | 'migrate' | 'resolve', output: unknown) => void;
}

/** A step that the compiler has come to, in the order in which steps run. */
export interface FollowedStep {
  readonly document: Document;
  readonly step: Step;
  readonly moment: 'before' | 'after';
  /** Variables that are there, with their types as JSON schemas. */
  readonly scope: () => readonly { readonly name: string; readonly type: JsonObject; readonly maybe?: true }[];
  /** Sessions that are open, or may be, and current elements. */
  readonly open: () => readonly string[];
  /** The type of its result, and of the variables that it defines. */
  readonly result: () => JsonObject;
  readonly defines: () => JsonObject;
}

/** Passed explicitly to every phase. */
export interface CompileContext {
  readonly host: PhaseHost;
  readonly reader: Reader;
  readonly options: CompileOptions;
  readonly verb: Verb;
  /** Absolute. */
  readonly root: string;
  readonly catalogue: Catalogue;
  readonly report: Report;
}
