import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { parsePath } from '#grammar/value-path/parse.ts';

import type { WrittenCapture } from '../3-parse/ast.ts';

import type { Knowledge } from './knowledge.ts';
import { variableOf, type Spot } from './references.ts';
import { localsOf, rangeOf, type Call } from './resolved.ts';
import { resultType } from './result-fields.ts';
import type { View } from './scope.ts';
import { ANY, itemsOf, jsonTypesOf, listOf, objectOf, TEXT, typeAt, typeOfJson, union } from './value-type.ts';
import { ANY_CELL, cellAt, TypeCell, UNTYPED, type Variable } from './variable.ts';

/** What is known of a variable that a step defines, where it ends with that view. */
export function typedBy(call: Call, name: string, view: View, knowledge: Knowledge): Variable {
  const capture = call.step.options?.save_as?.find((each) => each?.name === name);
  if (capture !== undefined) return { cell: captured(capture, resultOf(call, view, knowledge)), from: call };
  if (name === 'last_response') return { cell: resultOf(call, view, knowledge), from: call };
  const parameter = call.signature.info.variables?.from;
  return parameter === undefined
    ? { ...UNTYPED, from: call }
    : { cell: cellOf(call.args[parameter] ?? null, view, knowledge), from: call };
}

function captured({ path, match }: WrittenCapture, result: TypeCell): TypeCell {
  if (match !== undefined) return TEXT_CELL;
  if (path === undefined) return result;
  const parsed = parsePath(path).path;
  return parsed === undefined ? ANY_CELL : cellAt(result, parsed);
}

/** The type of a step's result. */
export function resultOf(call: Call, view: View, knowledge: Knowledge): TypeCell {
  const { signature, used, args } = call;
  switch (signature.control?.word) {
    case undefined:
      return new TypeCell(() => resultType(signature.info));
    case 'if':
      return new TypeCell(() => [{ type: ['string', 'null'] }]);
    case 'until':
      return new TypeCell(() => objectOf([['attempts', [{ type: 'integer' }]]]));
    case 'use': {
      const returns = used?.resolved.returns;
      return returns === undefined
        ? ANY_CELL
        : new TypeCell(() => [{ type: 'object', properties: returns, additionalProperties: false }]);
    }
    case 'for_each': {
      const collect = args['collect'];
      if (collect === undefined || collect === null) return ANY_CELL;
      // What it names is seen in the block alone.
      const locals = new Map(loopVariables(call, view, knowledge));
      const inside: Seen = {
        hasVariable: (name) => locals.has(name) || view.hasVariable(name),
        variable: (name) => locals.get(name) ?? UNTYPED,
      };
      const item = cellOf(collect, inside, knowledge);
      return new TypeCell(() => listOf(item.get()), [item]);
    }
    default:
      return ANY_CELL;
  }
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

/** The type of a value that may hold references, as they are seen now. */
export function cellOf(value: Json, view: Seen, knowledge: Pick<Knowledge, 'tokens'>): TypeCell {
  if (typeof value === 'string') return textCell(value, view, knowledge);
  if (typeof value !== 'object' || value === null || !holdsMark(value)) return new TypeCell(() => typeOfJson(value));
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

/** Whether a text in it may hold a reference. */
function holdsMark(value: Json): boolean {
  if (typeof value === 'string') return value.includes('{');
  if (typeof value !== 'object' || value === null) return false;
  for (const item of Object.values(value)) if (holdsMark(item)) return true;
  return false;
}

function textCell(text: string, view: Seen, { tokens }: Pick<Knowledge, 'tokens'>): TypeCell {
  const parsed = tokens.text(text);
  if (parsed === undefined) return TEXT_CELL;
  const [only, second] = parsed.parts;
  if (parsed.problems.length > 0) return ANY_CELL;
  return only === undefined || typeof only === 'string' || second !== undefined ? TEXT_CELL : referenceCell(only, view);
}

/** The JSON types that a reference may stand for where a step is reached; undefined where only a run knows. */
export function typeOfReference(
  ref: Ref,
  { view, resultOf }: Pick<Spot, 'view' | 'resultOf'>,
): ReadonlySet<string> | undefined {
  if (ref.ns !== 'var' || view.isOpen()) return undefined;
  const own = ref.name === 'result' || ref.name === 'last_response';
  if (own && resultOf !== undefined)
    return ref.name === 'result' && ref.default === undefined
      ? jsonTypesOf(typeAt(resultType(resultOf.signature.info), ref.path ?? []) ?? ANY)
      : undefined;
  return jsonTypesOf(referenceCell(ref, view).get());
}

/** The type of what a reference stands for. */
export function referenceCell(ref: Ref, view: Seen): TypeCell {
  const own = ref.convert === undefined ? unconverted(ref, view) : CONVERTED[ref.convert];
  return ref.default === undefined || ref.convert !== undefined
    ? own
    : new TypeCell(() => union([own.get(), TEXT]), [own]);
}

const CONVERTED = { int: INTEGER_CELL, number: NUMBER_CELL, bool: BOOLEAN_CELL, json: ANY_CELL } as const;

function unconverted(ref: Ref, view: Seen): TypeCell {
  switch (ref.ns) {
    case 'var': {
      const found = RESERVED_HERE.has(ref.name) ? undefined : variableOf(ref, view);
      return found === undefined ? ANY_CELL : cellAt(found.variable.cell, found.path);
    }
    case 'file':
    case 'date':
    case 'uuid':
    case 'run':
    case 'cwd':
    case 'root':
    case 'here':
    case 'event':
      return TEXT_CELL;
    // Where numbers or booleans are wanted, texts from outside are read as JSON; rows and combinations have types of their own.
    case 'ENV':
    case 'env':
    case 'ROW':
    case 'MATRIX':
      return ANY_CELL;
  }
}

/** Names with rules of their own. */
const RESERVED_HERE: ReadonlySet<string> = new Set(['result', 'run', 'steps']);
