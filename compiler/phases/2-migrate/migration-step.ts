import type { CommandInfo } from '#schemas/types/command.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/**
 * One migration: a file in `steps/` that exports one as its default. All steps see the tree as it was written, and
 * their operations are one batch, so a step neither sees nor undoes what another does.
 */
export interface MigrationStep {
  /** An object that holds steps under a body key: the file, or the value of a parameter. */
  body?(body: WrittenBody, change: Change): void;
  /** An action in any form, also in nested lists, and the parameters in `meta.defaults`. */
  action?(action: WrittenAction, change: Change): void;
}

export interface WrittenBody {
  readonly value: JsonObject;
  readonly route: Route;
  /** The value of a parameter: `meta` is not its matter. */
  readonly nested: boolean;
  at(route: Route, part: 'key' | 'value'): Label;
}

export interface WrittenAction {
  /** Name as written. */
  readonly name: string;
  readonly nameRoute: Route;
  readonly namePart: 'key' | 'value';
  /** Current name: what an old one is replaced by. */
  readonly command: string;
  /** Whether the written name is declared itself, as an old one. */
  readonly isDeclared: boolean;
  /** Whether the written name is another one of the command that is as good as its own. */
  readonly isAlias: boolean;
  readonly info: CommandInfo | undefined;
  /** Parameters given by name, and where they stand. */
  readonly keywords: { readonly value: JsonObject; readonly route: Route } | undefined;
  at(route: Route, part: 'key' | 'value'): Label;
}

/**
 * Something to change. Changes of one `subject` are told once a file, at the first place, with their number; the fix of
 * the finding makes them all. Without `tell` nothing is said and nothing written: only the later phases see the change.
 */
export type Change = (change: {
  readonly subject: string;
  readonly operations: readonly TreeOperation[];
  readonly tell?: (count: number, fix: (title: string) => readonly Fix[]) => Diagnostic;
}) => void;
