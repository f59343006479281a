import type { Document } from '#grammar/document/document.ts';
import type { ParsedText } from '#grammar/reference/parse.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';
import type { RowSource } from '#schemas/types/plan.ts';

import type { ActionFile, Step, StepList } from '../3-parse/ast.ts';
import { commandPlace, keywordRoute, positionalRoute, valueAt } from '../3-parse/routes.ts';

import type { Writes } from './outside/written-paths.ts';
import type { AddedModule, KnownModule } from './modules.ts';
import type { Signature } from './signature.ts';
import type { KnownValue } from './value-type.ts';

/** A file whose names, references and graphs are known. */
export interface ResolvedFile {
  readonly file: ActionFile;
  readonly setup: CallList;
  readonly body: CallList;
  readonly teardown: CallList;
  /** Files that run before this one. */
  readonly after: readonly SourceId[];
  readonly rows?: RowSource;
  /** Columns of its dataset, where they are known. */
  readonly columns?: readonly string[];
  /** Types and places of arguments that are one reference, by call and text. */
  readonly types: ReadonlyMap<Call, ReadonlyMap<string, KnownValue>>;
  /** Conditions, as they are written, that their types decide, by the call at which they stand. */
  readonly decided: ReadonlyMap<Call, ReadonlySet<string>>;
  /** Sessions and other things that it leaves open for certain, by name, and the step that opens each last. */
  readonly left: ReadonlyMap<string, Call>;
  /** Types of `meta.returns`, by name. */
  readonly returns?: JsonObject;
  /** Modules whose commands it may call. */
  readonly modules: readonly KnownModule[];
  /** Files that its steps use, directly. */
  readonly uses: readonly UsedFile[];
}

export interface CallList {
  readonly list: StepList;
  readonly calls: readonly Call[];
  /** A step was left out because of an error: what it would have defined is not known. */
  readonly incomplete: boolean;
  /** Calls that have an id, and those that hold steps. */
  readonly named: readonly Call[];
  readonly holders: readonly Call[];
  readonly hasDependencies: boolean;
}

/** A step whose command is known, its arguments by name and still as written. */
export interface Call {
  readonly step: Step;
  readonly signature: Signature;
  /** Arguments with `meta.defaults` merged in. The same object as in the document where that is possible. */
  readonly args: JsonObject;
  /** The texts in them that hold references or escapes; undefined where every text stands for itself. */
  readonly texts: readonly WrittenText[] | undefined;
  /** The steps inside, by parameter. */
  readonly blocks: ReadonlyMap<string, CallList> | undefined;
  /** The module whose commands are known behind it. */
  readonly adds: AddedModule | undefined;
  /** The file that a step uses. */
  readonly used?: UsedFile | undefined;
}

/** Route of the condition of a control form. */
export function conditionRoute({ step }: Call): Route {
  return keywordRoute(step, step.control?.form.condition ?? '');
}

/** Keys of a range. */
export const RANGE_KEYS: readonly string[] = ['from', 'to', 'step'];

/** The range that a loop goes over: an object with `from` and `to`, and nothing but `step` beside them. */
export function rangeOf({ step, args }: Call): JsonObject | undefined {
  const value = step.control?.as === undefined ? undefined : args['for_each'];
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  const isRange = keys.includes('from') && keys.includes('to') && keys.every((key) => RANGE_KEYS.includes(key));
  return isRange ? value : undefined;
}

/** The variables that only the block of a loop sees. */
export function localsOf({ step }: Call): readonly string[] {
  const { as, index } = step.control ?? {};
  if (as === undefined) return [];
  return [...new Set([as, `${as}_index`, 'item_index', ...(index === undefined ? [] : [index])])];
}

/** Opens a file that a step uses, as `name` stands at that place. Mistakes in it have been reported. */
export type OpenUsed = (name: string, at: Label) => Promise<UsedFile | undefined>;

/** A file that a step uses, resolved: what of it decides about the step. */
export interface UsedFile {
  readonly resolved: ResolvedFile;
  /** Sessions and other things that its steps leave open or closed: on all ways through it, or on some. */
  readonly sessions: ReadonlyMap<string, 'open' | 'closed' | 'possible'>;
  /** Sessions that it opens and closes; those that it asks for stand in its `meta`. */
  readonly opens: ReadonlySet<string>;
  readonly closes: ReadonlySet<string>;
  /** Things beside sessions that it makes and ends, and those that it needs of its caller. */
  readonly makes: ReadonlySet<string>;
  readonly ends: ReadonlySet<string>;
  readonly needs: ReadonlySet<string>;
  /** Kinds of such things of which it ends all, and some. */
  readonly endsAll: ReadonlySet<string>;
  readonly endsSome: ReadonlySet<string>;
  /** Paths that its steps may change. */
  readonly writes: () => Writes;
  /** Whether it may add keys to the environment. */
  readonly addsEnvironment: boolean;
  /** Number of its steps, with those of files that it uses itself. */
  readonly count: number;
}

/** A text among the arguments that does not simply stand for itself. */
export interface WrittenText {
  readonly parameter: string;
  /** The way from the parameter's value to the text. */
  readonly inside: Route;
  readonly text: string;
  /** Undefined where a grammar must be loaded first. */
  readonly parsed: ParsedText | undefined;
}

/** The name of a node in its graph: its id, or where it has none its index, which no id begins with. */
export function keyOf({ step }: Call): string {
  return step.options?.id ?? `#${step.index}`;
}

/**
 * Route of the value of a parameter: in the call, or in `meta.defaults`; of a value of the configuration, the
 * command. `inside`: the way on from there.
 */
export function argumentRoute(call: Call, name: string, document: Document, inside: Route = []): Route {
  const [first, ...rest] = inside;
  if (call.signature.module === undefined || first === undefined)
    return [...parameterRoute(call, name, document), ...inside];
  // A module call holds its keywords and positions themselves.
  return typeof first === 'number'
    ? [...positionalRoute(call.step, document, first), ...rest]
    : [...parameterRoute(call, first, document), ...rest];
}

function parameterRoute({ step, signature }: Call, name: string, document: Document): Route {
  if (step.keywords !== undefined && Object.hasOwn(step.keywords, name)) return keywordRoute(step, name);
  const { positional } = signature.takes ?? signature;
  const position = positional.findIndex((parameter) => parameter.name === name);
  if (step.positional !== undefined && position >= 0 && position < step.positional.length)
    return positionalRoute(step, document, position);
  const route = ['meta', 'defaults', step.command, name];
  return valueAt(document.value, route) === undefined ? commandPlace(step).route : route;
}
