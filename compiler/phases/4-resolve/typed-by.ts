import type { Callable } from '#schemas/types/command.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { parsePath } from '#grammar/value-path/parse.ts';

import type { WrittenCapture } from '../3-parse/ast.ts';

import { extractedPath } from './calls.ts';
import type { Knowledge } from './knowledge.ts';
import { variableOf, type Spot } from './references.ts';
import { localsOf, rangeOf, type Call } from './resolved.ts';
import { ownResultType } from './result-fields.ts';
import type { View } from './flow-facts.ts';
import {
  ANY,
  itemsOf,
  jsonTypesOf,
  listOf,
  objectOf,
  TEXT,
  typeAt,
  typeOfJson,
  union,
  type KnownValue,
  type Type,
} from './value-type.ts';
import { ANY_CELL, cellAt, placesOf, TypeCell, UNTYPED, type Variable } from './variable.ts';

/** Facts about a variable that a step defines, where it ends with that view. */
export function typedBy(call: Call, name: string, view: View, knowledge: Knowledge): Variable {
  const capture = call.step.options?.save_as?.find((each) => each?.name === name);
  if (capture !== undefined) return { cell: captured(capture, resultOf(call, view, knowledge)), from: call };
  if (name === 'last_response') return { cell: resultOf(call, view, knowledge), from: call };
  const { from: parameter, extracts } = call.signature.info.variables ?? {};
  if (extracts !== undefined) return { cell: extracted(call, extracts, view, knowledge), from: call };
  if (parameter === undefined) return { ...UNTYPED, from: call };
  const value = call.args[parameter] ?? null;
  const behind = sourceOf(value, view, knowledge);
  const cell = cellOf(value, view, knowledge);
  return behind === undefined ? { cell, from: call } : { cell, from: call, behind };
}

/** Source of a value that is one reference. */
function sourceOf(value: Json, view: View, knowledge: Knowledge): Variable['behind'] {
  if (typeof value !== 'string') return undefined;
  const [only, second] = knowledge.tokens.text(value)?.parts ?? [];
  if (only === undefined || typeof only === 'string' || second !== undefined) return undefined;
  if (only.ns === 'var') return variableOf(only, view);
  const [outside] = outerPlaces(only, knowledge);
  return outside && { name: only.name, variable: { cell: ANY_CELL, outside } };
}

/** Type at a literal path into a parameter; into the last response where it is not given. */
function extracted(call: Call, { of }: Extracts, view: View, knowledge: Knowledge): TypeCell {
  const written = extractedPath(call.signature, call.args);
  const way = written === undefined ? undefined : parsePath(written).path;
  return way === undefined ? ANY_CELL : cellAt(extractedFrom(call, of, view, knowledge), way);
}

/** Type of the value out of which a command takes the part at a path. */
export function extractedFrom(call: Call, of: string, view: View, knowledge: Knowledge): TypeCell {
  const value = call.args[of] ?? null;
  return value === null ? (view.variable('last_response')?.cell ?? ANY_CELL) : cellOf(value, view, knowledge);
}

type Extracts = NonNullable<NonNullable<Callable['variables']>['extracts']>;

function captured({ path, match }: WrittenCapture, result: TypeCell): TypeCell {
  if (match !== undefined) return TEXT_CELL;
  if (path === undefined) return result;
  const parsed = parsePath(path).path;
  return parsed === undefined ? ANY_CELL : cellAt(result, parsed);
}

/** The type of a step's result. */
export function resultOf(call: Call, view: View, knowledge: Knowledge): TypeCell {
  const extracts = call.signature.info.variables?.extracts;
  return extracts === undefined
    ? new TypeCell(() => ownResultType(call, knowledge), behindResult(call, knowledge))
    : extracted(call, extracts, view, knowledge);
}

function behindResult(call: Call, { collected }: Knowledge): readonly TypeCell[] {
  const cell = collected.get(call);
  return cell === undefined ? [] : [cell];
}

/** The variables of a loop: its item by the type of what it goes over, and the index. */
export function loopVariables(call: Call, view: View, knowledge: Knowledge): readonly (readonly [string, Variable])[] {
  const range = rangeOf(call);
  const over = range === undefined ? cellOf(call.args['for_each'] ?? null, view, knowledge) : ANY_CELL;
  const item = range === undefined ? new TypeCell(() => itemsOf(over.get()), [over]) : NUMBER_CELL;
  return localsOf(call).map((name, index) => [name, { cell: index === 0 ? item : INTEGER_CELL, from: call }]);
}

type Seen = Pick<View, 'hasVariable' | 'variable'>;

const TEXT_CELL = new TypeCell(() => TEXT);
const NUMBER_CELL = new TypeCell(() => [{ type: 'number' }]);
const INTEGER_CELL = new TypeCell(() => [{ type: 'integer' }]);
const BOOLEAN_CELL = new TypeCell(() => [{ type: 'boolean' }]);
const NULL_CELL = new TypeCell(() => [{ type: 'null' }]);

/** The type of a value that may hold references, as they are seen now. */
export function cellOf(value: Json, view: Seen, knowledge: Outer): TypeCell {
  if (typeof value === 'string') return textCell(value, view, knowledge);
  if (typeof value !== 'object' || value === null) return scalarCell(value);
  if (!holdsMark(value)) return new TypeCell(() => typeOfJson(value));
  if (isList(value)) {
    const items = value.map((item) => cellOf(item, view, knowledge));
    return new TypeCell(() => listOf(union(items.map((cell) => cell.get()))), items);
  }
  if (!isObject(value)) return ANY_CELL;
  const members = Object.entries(value).map(([key, item]) => [key, cellOf(item, view, knowledge)] as const);
  return new TypeCell(
    () => objectOf(members.map(([key, cell]) => [key, cell.get()])),
    members.map(([, cell]) => cell),
  );
}

/** One cell for all values of a type: most variables begin with a number or a text. */
function scalarCell(value: null | boolean | number): TypeCell {
  if (typeof value === 'number') return Number.isInteger(value) ? INTEGER_CELL : NUMBER_CELL;
  return value === null ? NULL_CELL : BOOLEAN_CELL;
}

/** Whether a text in it may hold a reference. */
export function holdsMark(value: Json): boolean {
  if (typeof value === 'string') return value.includes('{');
  if (typeof value !== 'object' || value === null) return false;
  for (const item of Object.values(value)) if (holdsMark(item)) return true;
  return false;
}

function textCell(text: string, view: Seen, knowledge: Outer): TypeCell {
  const parsed = knowledge.tokens.text(text);
  if (parsed === undefined) return TEXT_CELL;
  const [only, second] = parsed.parts;
  if (parsed.problems.length > 0) return ANY_CELL;
  return only === undefined || typeof only === 'string' || second !== undefined
    ? TEXT_CELL
    : referenceCell(only, view, knowledge);
}

/** Knowledge of values from outside of the steps. */
export type Outer = Pick<Knowledge, 'tokens' | 'meta' | 'rows' | 'environment' | 'isEnvironmentStrict'>;

/**
 * The JSON types that a reference may stand for where a step is reached; undefined where only a run knows. `isRead`:
 * texts from outside count as what they read as, as parameters take them.
 */
export function typeOfReference(
  ref: Ref,
  { view, ofList, resultOf }: Pick<Spot, 'view' | 'ofList' | 'resultOf'>,
  knowledge: Knowledge,
  isRead: boolean,
): KnownValue | undefined {
  if (ref.ns === 'ROW' && ofList.ownRows !== undefined) return undefined;
  if (ref.ns !== 'var') return known(outerType(ref, knowledge, isRead), () => outerPlaces(ref, knowledge));
  if (view.isOpen()) return undefined;
  const own = ref.name === 'result' || ref.name === 'last_response';
  if (own && resultOf !== undefined)
    return ref.name === 'result' && ref.default === undefined
      ? known(typeAt(ownResultType(resultOf, knowledge), ref.path ?? []) ?? ANY, () => [])
      : undefined;
  return known(referenceCell(ref, view, knowledge).get(), () => {
    const found = RESERVED_HERE.has(ref.name) ? undefined : variableOf(ref, view);
    return found === undefined ? [] : placesOf(found.name, found.variable, knowledge.document.source);
  });
}

function known(type: Type, places: KnownValue['places']): KnownValue | undefined {
  const types = jsonTypesOf(type);
  return types && { types, places };
}

/** The type of what a reference stands for. */
function referenceCell(ref: Ref, view: Seen, knowledge: Outer): TypeCell {
  const own = ref.convert === undefined ? unconverted(ref, view, knowledge) : CONVERTED[ref.convert];
  return ref.default === undefined || ref.convert !== undefined
    ? own
    : new TypeCell(() => union([own.get(), TEXT]), [own]);
}

const CONVERTED = { int: INTEGER_CELL, number: NUMBER_CELL, bool: BOOLEAN_CELL, json: ANY_CELL } as const;

function unconverted(ref: Ref, view: Seen, knowledge: Outer): TypeCell {
  if (ref.ns !== 'var') return new TypeCell(() => outerType(ref, knowledge, true));
  const found = RESERVED_HERE.has(ref.name) ? undefined : variableOf(ref, view);
  return found === undefined ? ANY_CELL : cellAt(found.variable.cell, found.path);
}

/** The type of what comes from outside of the steps, conversions included. */
function outerType(ref: Ref, { meta, rows, environment, isEnvironmentStrict }: Outer, isRead: boolean): Type {
  if (ref.convert !== undefined) return CONVERTED[ref.convert].get();
  const withDefault = (type: Type): Type => (ref.default === undefined ? type : union([type, TEXT]));
  switch (ref.ns) {
    case 'MATRIX': {
      const values = meta.matrix?.axes.find(({ name }) => name === ref.name)?.values;
      const more = meta.matrix?.include.flatMap((each) => (ref.name in each ? [each[ref.name] ?? null] : [])) ?? [];
      return values === undefined ? ANY : withDefault(union([...values, ...more].map((value) => typeOfJson(value))));
    }
    case 'ROW': {
      const column = rows?.columns?.get(ref.name);
      return column === undefined ? ANY : withDefault(isRead ? column.read : column.written);
    }
    case 'ENV':
    case 'env':
      if (!isRead) return TEXT;
      // Without a chosen environment a run may be given another.
      return (
        (ref.ns === 'ENV' && ref.default === undefined && isEnvironmentStrict && environment.type(ref.name)) || ANY
      );
    default:
      return TEXT;
  }
}

/** Places that give a column or a key its value. */
function outerPlaces(ref: Ref, { meta, rows, environment, document }: Knowledge): readonly Label[] {
  if (ref.ns === 'MATRIX') {
    const route = ['meta', 'matrix', ref.name];
    return [{ source: document.source, route, part: 'value', text: `"${ref.name}" has its values here` }];
  }
  if (ref.ns === 'ROW' && meta.dataset !== undefined && rows !== undefined) {
    const line = rows.columns?.get(ref.name)?.line ?? 1;
    const text = `the first value of "${ref.name}"`;
    return [{ source: rows.rows.path, route: [], part: 'value', text, position: { line, column: 1 } }];
  }
  const place = ref.ns === 'ENV' ? environment.place(ref.name) : undefined;
  return place === undefined ? [] : [{ ...place, text: `"${ref.name}" has its value here` }];
}

/** Names with rules of their own. */
const RESERVED_HERE: ReadonlySet<string> = new Set(['result', 'run', 'steps']);
