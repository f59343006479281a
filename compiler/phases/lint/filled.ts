import { eachReference, foldValue, isBlock, literalOf } from '#schemas/types/fold-value.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Node, Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';

/** Keys of the matrix that the arguments of a step read; steps inside are steps of their own. */
export function matrixKeysOf({ args }: Node): readonly string[] {
  const keys = new Set<string>();
  for (const name in args) {
    const value = args[name];
    if (value === undefined || isBlock(value)) continue;
    eachReference(value, ({ ns, name: key }) => {
      if (ns === 'MATRIX') keys.add(key);
    });
  }
  return [...keys];
}

/** A step with the values of one combination in its arguments. Conditions stay as they are written. */
export function filledBy(node: Node, combination: JsonObject): Node {
  const args = Object.entries(node.args).map(([name, value]) => [name, filled(value, combination)] as const);
  return { ...node, args: Object.fromEntries(args) };
}

function filled(value: Value, combination: JsonObject): Value {
  return foldValue<Value>(value, {
    lit: (lit) => ({ lit }),
    ref: (ref, as) => {
      const found = valueOf(ref, combination);
      return found === undefined ? { ref, ...(as && { as }) } : { lit: found };
    },
    text: (pieces) => {
      const parts = pieces.map((piece) => (typeof piece === 'string' ? piece : (textOf(piece, combination) ?? piece)));
      return parts.every((part) => typeof part === 'string') ? { lit: parts.join('') } : { text: parts };
    },
    list: (parts) => {
      const literals = literalsOf(parts);
      return literals === undefined ? { list: parts } : { lit: literals };
    },
    map: (entries) => {
      const literals = literalsOf(entries.map(([, part]) => part));
      if (literals === undefined) return { map: entries };
      return { lit: Object.fromEntries(entries.map(([key], index) => [key, literals[index] ?? null])) };
    },
    block: (block) => ({ block }),
  });
}

/** The literals that parts are; undefined where one is none. */
function literalsOf(parts: readonly Value[]): readonly Json[] | undefined {
  const literals = parts.map(literalOf).filter((literal) => literal !== undefined);
  return literals.length === parts.length ? literals : undefined;
}

function textOf(ref: Ref, combination: JsonObject): string | undefined {
  const value = valueOf(ref, combination);
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

/** Value that a combination gives a reference; undefined where a run converts it. */
function valueOf({ ns, name, path = [], convert }: Ref, combination: JsonObject): Json | undefined {
  return ns === 'MATRIX' && convert === undefined ? at(combination[name], path) : undefined;
}

function at(value: Json | undefined, path: Route): Json | undefined {
  const [piece, ...rest] = path;
  if (piece === undefined || value === undefined) return value;
  if (isList(value)) return at(value[Number(piece)], rest);
  return isObject(value) ? at(value[String(piece)], rest) : undefined;
}
