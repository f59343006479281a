import type { CompileOptions } from '#compiler/context.ts';
import type { Dag } from '#compiler/graph/dag.ts';
import type { Suggestions } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import type { Report } from '#schemas/types/diagnostic.ts';

import type { Meta, Section } from '../3-parse/ast.ts';

import type { KnownRows } from './dataset.ts';
import type { KnownEnvironment } from './environment.ts';
import type { Profiles } from './flow.ts';
import type { StepIds } from './order.ts';
import type { Call, CallList } from './resolved.ts';
import type { Tokens } from './tokens.ts';

/** What is known of one file when its references are looked at. */
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
  /** What arguments that are one reference stand for, by their text; those of which nothing is known are not there. */
  readonly types: Map<Call, Map<string, ReadonlySet<string>>>;
  /** Hears of each step. */
  readonly follow: CompileOptions['follow'];
  readonly report: Report;
  readonly suggestions: Suggestions;
  /** Where each variable is first defined, for findings about order. */
  readonly definers: () => ReadonlyMap<string, Call>;
}

/** What holds for the steps of one list, whatever came before. */
export interface Frame {
  readonly section: Section;
  /** In the steps of a watch. */
  readonly hasEvent: boolean;
  /** What the watch tells of, where that is written; undefined: anything. */
  readonly eventKinds: readonly string[] | undefined;
  /** Rows that the holder of these steps runs them for; undefined: those of the file. */
  readonly ownRows: { readonly columns: ReadonlySet<string> | undefined } | undefined;
  /** The list runs whenever its file does. */
  readonly isSure: boolean;
  /** The steps of the list run at the same time. */
  readonly isParallel: boolean;
  /** Conditions that held when these steps were reached. */
  readonly guards: readonly string[];
}
