import type { Document } from '#grammar/document/document.ts';
import type { Callable, Parameter } from '#schemas/types/command.ts';
import type { Diagnostic, Label, Report, Severity } from '#schemas/types/diagnostic.ts';
import { literalOf } from '#schemas/types/fold-value.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';

import type { Profile } from '../4-resolve/outside/profiles.ts';

/**
 * A lint rule: a file in `rules/` that exports one as its default, and a message of the same name in
 * `schemas/messages/3-lint.md`, which gives its code and its severity.
 */
export interface Rule {
  /** The file's name without ending, and the message's slug. */
  readonly name: string;
  /** `recommended` rules run unless they are switched off; `strict` ones only under that preset or when named. */
  readonly preset: 'recommended' | 'strict';
  /** The warning of another phase that says less of the same key: where the rule has found it, that one is not told. */
  readonly insteadOf?: string;
  /** Text without which the rule finds nothing in a file; a rule without a hint always runs. */
  readonly hint?: RegExp;
  /** Looks at the file as written. */
  source?(file: SourceFile): void;
  /** Looks at every text of the file as written: all such rules ride along in one pass. Undefined: at none. */
  texts?(file: SourceFile): ((text: string, path: () => Route) => void) | undefined;
  /** Looks at arguments of a checked file: all such rules ride along in one pass over its calls. */
  readonly argument?: ArgumentRule;
  /** Looks at the checked plans of all files that are linted, side by side. */
  project?(units: readonly ProjectUnit[]): void;
  /**
   * `resolved` judges the values of single calls, whatever stands around them: it looks at the values of every
   * combination of a matrix too, as rules of arguments do.
   */
  readonly judgesValues?: true;
  /**
   * Looks at the checked plan of the file: types, defaults and data flow are known. Called only when the file has no
   * errors.
   */
  resolved?(unit: ResolvedUnit): void;
}

/** The arguments that a rule looks at, and what it says of one that is written. */
export interface ArgumentRule {
  /** `mayHold` asks of the whole file, once for each pattern: rules about what cannot be there want nothing. */
  readonly wants: (parameter: Parameter, info: Callable, mayHold: MayHold) => boolean;
  readonly look: (argument: Written, call: ResolvedCall, report: Report) => void;
}

/** Whether something that a pattern fits may stand in a file: what is written with escapes may be anything. */
export type MayHold = (pattern: RegExp) => boolean;

/** One of several files that a rule compares. */
export type ProjectUnit = Pick<ResolvedUnit, 'unit' | 'groups' | 'report'>;

export interface SourceFile {
  readonly document: Document;
  /** The environments that the file may run with, as far as it reads keys of one. */
  readonly profiles: readonly Profile[];
  /** A label of something in this file. */
  at(route: Route, part?: Label['part']): Label;
  report(diagnostic: Diagnostic): void;
}

/** Fields of a step that rules look for; `kind` is that of control forms, `after` what the step depends on. */
export type Field =
  | 'after'
  | 'expect'
  | 'kind'
  | 'name'
  | 'provides'
  | 'retry'
  | 'save_as'
  | 'tags'
  | 'timeout_s'
  | 'when';

/** The calls of a file by what rules ask of them: most rules are about few commands, or about one option. */
export interface CallGroups {
  /** The calls of the commands that are wanted, command by command. */
  readonly of: (wants: (info: Callable) => boolean) => readonly ResolvedCall[];
  /** The calls that have a field, in the order in which they stand. */
  readonly having: (field: Field) => readonly ResolvedCall[];
  /** The calls that hold steps, in the order in which they stand. */
  readonly holding: () => readonly ResolvedCall[];
  /** The call of a node. */
  readonly byId: (id: string) => ResolvedCall | undefined;
}

export interface ResolvedUnit {
  readonly unit: Unit;
  /** The file as it is written, after migration. */
  readonly document: Document;
  /** Every call, nested lists too, in the order in which they stand. */
  readonly calls: readonly ResolvedCall[];
  /** The same by command and by what they have, so that a rule looks only at those that it is about. */
  readonly groups: CallGroups;
  /** Sessions and other things that its steps leave open for certain, and the call that opens each last. */
  readonly left: readonly LeftOpen[];
  /** Values that the file returns to one that uses it, by name. */
  readonly returns: JsonObject;
  /** Columns of its dataset, where they are known. */
  readonly columns: readonly string[];
  /** Values of all combinations of its matrix. */
  readonly combinations: readonly JsonObject[];
  /** Calls whose arguments read the matrix, once for each set of values that they get. */
  readonly filled: readonly FilledCall[];
  at(route: Route, part?: Label['part']): Label;
  report(diagnostic: Diagnostic): void;
}

/** A session, or another thing, as `the watch "inbox"` is one, that nothing ends before the end of the file does. */
export interface LeftOpen {
  /** Name of the session; kind of the thing, with its own name in quotes where it has one. */
  readonly name: string;
  readonly call: ResolvedCall;
}

/** A call as it is for some combinations of a matrix. */
export interface FilledCall {
  readonly call: ResolvedCall;
  /** Values that it got, by key of the matrix. */
  readonly values: JsonObject;
}

export interface ResolvedCall {
  readonly node: Node;
  readonly info: Callable;
  readonly section: 'setup' | 'body' | 'teardown';
  readonly holdsSteps: boolean;
  /** Whether the author wrote the parameter (else its default was filled). */
  isWritten(parameter: string): boolean;
  /** The command's name, a parameter's value, or a step option. */
  commandAt(): Label;
  argumentAt(parameter: string): Label;
  optionAt(option: string): Label;
  /** The parameters that the author wrote, in the order of the declaration. */
  written(): readonly Written[];
  /** Whether the types of what it speaks of decide a condition, as it is written. */
  isDecided(condition: string): boolean;
  /** One of them; undefined where the author did not write it. */
  writtenAs(parameter: Parameter): Written | undefined;
  /** The whole step, for operations of fixes. */
  readonly route: Route;
}

/** A parameter that the author wrote. */
export interface Written {
  readonly parameter: Parameter;
  /** The whole literal value; absent where it holds references. */
  readonly value?: Json;
  /** The text where the value is one, references as `REFERENCE`. */
  readonly text?: string;
}

/** The literal value of a call's parameter; undefined where it holds references or is absent. */
export function literal(call: ResolvedCall, parameter: string): Json | undefined {
  return literalOf(call.node.args[parameter]);
}

/** The place of one of several: a list's element, or the option itself where it is no list. */
export function itemAt(call: ResolvedCall, option: string, index: number): Label {
  const at = call.optionAt(option);
  // A route that leads nowhere is that of what stands above it.
  return { ...at, route: [...at.route, index] };
}

/** Severity by rule name, or `off`. */
export interface LintConfiguration {
  readonly preset?: 'recommended' | 'strict' | 'none';
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
}

/** A configuration of some files, laid over that of all. */
export interface PathConfiguration extends LintConfiguration {
  readonly isOf: (source: string) => boolean;
}
