import * as d from '#schemas/generated/diagnostics.ts';
import type { Callable, CommandInfo } from '#schemas/types/command.ts';
import type { Label, Report } from '#schemas/types/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { quoted } from '../3-parse/fields.ts';
import { typeWords } from '../3-parse/type-words.ts';

import { nearName } from './near-parameter.ts';

/** Reports a path into the result of a command that the command's declaration rules out. */
export function checkResultPath(command: Callable, path: Route, at: () => Label, report: Report): void {
  const missing = 'returns' in command ? firstMissing((command as CommandInfo).returns, path) : undefined;
  if (missing === undefined) return;
  const { fields, index, schema } = missing;
  const name = String(path[index]);
  report(
    d.resultHasNoField({
      at: at(),
      command: command.name,
      path: path
        .slice(0, index + 1)
        .map(String)
        .join('.'),
      what: fields.length > 0 ? `has ${quoted(fields)}` : `is ${typeWords(schema['type'] ?? null)}`,
      nearest: nearName(name, fields),
    }),
  );
}

interface Missing {
  /** Of the path: the first piece that cannot be there. */
  readonly index: number;
  /** Fields that stand there instead. */
  readonly fields: readonly string[];
  readonly schema: JsonObject;
}

function firstMissing(schema: JsonObject, path: Route): Missing | undefined {
  let schemas: readonly JsonObject[] = [schema];
  for (const [index, piece] of path.entries()) {
    const inside = schemas.flatMap((each) => alternatives(each)).map((each) => below(each, piece));
    if (inside.includes('open')) return undefined;
    const found = inside.filter((each) => each !== 'none' && each !== 'open');
    if (found.length === 0) return { index, schema: schemas[0] ?? {}, fields: schemas.flatMap(fieldsOf) };
    schemas = found;
  }
  return undefined;
}

function alternatives(schema: JsonObject): readonly JsonObject[] {
  const choices = schema['anyOf'] ?? schema['oneOf'];
  return isList(choices) ? choices.filter(isObject).flatMap(alternatives) : [schema];
}

/** The schema of what stands at a key or an index; `open` where a run decides, `none` where nothing can stand there. */
function below(schema: JsonObject, piece: string | number): JsonObject | 'open' | 'none' {
  const { type, properties, additionalProperties: others, items, prefixItems } = schema;
  const types = isList(type) ? type : [type];
  if (type === undefined || 'const' in schema || 'enum' in schema) return 'open';
  if (types.includes('array'))
    return typeof piece === 'number' ? orOpen(prefixItems === undefined ? items : undefined) : 'none';
  if (!types.includes('object')) return 'none';
  const key = String(piece);
  if (isObject(properties) && Object.hasOwn(properties, key)) return orOpen(properties[key]);
  // Where fields are declared, they are all that there are.
  if (others === false || (others === undefined && properties !== undefined)) return 'none';
  return orOpen(others);
}

function orOpen(schema: Json | undefined): JsonObject | 'open' {
  return isObject(schema) ? schema : 'open';
}

function fieldsOf(schema: JsonObject): readonly string[] {
  return alternatives(schema).flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
}
