import type { CompileOptions } from '#compiler/context.ts';
import type { Dag } from '#compiler/graph/dag.ts';
import type { Suggestions } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import type { Report } from '#schemas/types/diagnostic.ts';

import type { Meta, Section } from '../3-parse/ast.ts';

import type { KnownRows } from './outside/dataset.ts';
import type { KnownEnvironment } from './outside/environment.ts';
import type { Profiles } from './flow.ts';
import type { StepIds } from './order.ts';
import type { Narrowed } from './outside/narrowing.ts';
import type { Call, CallList } from './resolved.ts';
import type { Tokens } from './tokens.ts';
import type { KnownValue } from './value-type.ts';
import type { Gap, TypeCell } from './variable.ts';

/** Facts about one file at hand when its references are looked at. */
export interface Knowledge {
  readonly document: Document;
  readonly meta: Meta;
  readonly tokens: Tokens;
  readonly profiles: Profiles;
  readonly ids: StepIds;
  /** Order of the lists that are graphs. */
  readonly dags: ReadonlyMap<CallList, Dag>;
  readonly environment: KnownEnvironment;
  /** A missing key is an error, else a warning (`compiler/language/references.md`). */
  readonly isEnvironmentStrict: boolean;
  readonly rows: KnownRows | undefined;
  /** The steps will run in a unit that has begun: rows, events, keys and steps that nothing here shows are possible. */
  readonly isPart: boolean;
  readonly narrowed: Narrowed;
  /** Types of what loops collect, worked out where their blocks end. */
  readonly collected: Map<Call, TypeCell>;
  /** A step was left out because of an error: what it would have opened is not known. */
  readonly isIncomplete: boolean;
  /** Steps of other files alone run it. */
  readonly hasCaller: boolean;
  /** JSON types of arguments that are one reference, by their text; those of which nothing is known are not there. */
  readonly types: Map<Call, Map<string, KnownValue>>;
  /** Conditions, as they are written, that their types decide, by the call at which they stand. */
  readonly decided: Map<Call, Set<string>>;
  /** Hears of each step. */
  readonly follow: CompileOptions['follow'];
  readonly report: Report;
  readonly suggestions: Suggestions;
  /** Call that defines each variable first, for findings about order. */
  readonly definers: () => ReadonlyMap<string, Call>;
  /** Words of steps that an error left out: names that these may have made. */
  readonly unread: () => ReadonlySet<string>;
}

/** A condition that was judged before a step is reached, and what it says about variables. */
export interface Guard {
  readonly source: string;
  /** Variables that it reads or asks for, and steps, as `steps.ID`. */
  readonly reads: ReadonlySet<string>;
  /** Variables that are there where the step is reached: `--var` may bring one that no step makes. */
  readonly finds: ReadonlySet<string>;
}

/** Facts that hold for all steps of one list, whatever came before. */
export interface ListFacts {
  readonly section: Section;
  /** Whether the steps are those of a watch. */
  readonly hasEvent: boolean;
  /** Events that the watch runs its steps for, where they are written; undefined: anything. */
  readonly eventKinds: readonly string[] | undefined;
  /** Rows that the holder of these steps runs them for; undefined: those of the file. */
  readonly ownRows: { readonly columns: ReadonlySet<string> | undefined } | undefined;
  /** The list runs whenever its file does. */
  readonly isSure: boolean;
  /** The steps of the list run at the same time. */
  readonly isParallel: boolean;
  /** The steps are followed for a second round that may be taken. */
  readonly round?: Gap;
  /** Whether these steps run only where another one has passed. */
  readonly waitsFor?: (other: Call) => boolean;
  /** Conditions that were judged before these steps were reached. */
  readonly guards: readonly Guard[];
}
