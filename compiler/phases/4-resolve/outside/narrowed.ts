import { keySegments } from '#grammar/value-path/key-segments.ts';
import type { Narrows } from '#schemas/types/command.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import type { Call, CallList } from '../resolved.ts';
import { resultType } from '../result-fields.ts';
import type { Signature } from '../signature.ts';
import { ANY, listOf, typeOfJson, union, type Type } from '../value-type.ts';
import { eachCall } from '../walk-calls.ts';

import type { Contract } from './contracts.ts';
import { records } from './csv-records.ts';
import { textAt, type Narrowed, type Narrowing } from './narrowing.ts';
import { typeOfSchema } from './schema-type.ts';

type ByFile = Extract<Narrows, { by: 'file' }>;

/** Finds the types out. Few commands have any: the steps are looked through only for those. */
export async function readNarrowed(
  lists: readonly CallList[],
  commands: Iterable<Signature>,
  narrowing: Narrowing,
): Promise<Narrowed> {
  const types = new Map<Call, Type>();
  if (![...commands].some(({ info: { narrows } }) => narrows !== undefined && narrows.by !== 'answer')) return types;
  const calls: Call[] = [];
  eachCall(lists, (call) => {
    if (call.signature.info.narrows !== undefined) calls.push(call);
  });
  const contracts: Contract[] = [];
  for (const call of calls) {
    const { narrows } = call.signature.info;
    const value = narrows && call.args[narrows.of];
    if (narrows === undefined || value === undefined) continue;
    if (narrows.by === 'contract') {
      const { readContract } = await import('./contracts.ts');
      const contract = await readContract(value, call, narrowing);
      if (contract !== undefined) contracts.push(contract);
    } else {
      const type = await typeBy(narrows, value, call, narrowing);
      if (type !== undefined) types.set(call, type);
    }
  }
  if (contracts.length === 0) return types;
  const { answersOf } = await import('./contracts.ts');
  for (const call of calls) {
    const type = answersOf(call, contracts, narrowing);
    if (type !== undefined) types.set(call, type);
  }
  return types;
}

async function typeBy(narrows: Narrows, value: Json, call: Call, narrowing: Narrowing): Promise<Type | undefined> {
  if (narrows.by === 'schema')
    return isObject(value) && !narrowing.isFilled(value) ? typeOfSchema(value, value) : undefined;
  if (narrows.by !== 'file') return undefined;
  const text = await textAt(value, call, narrowing);
  try {
    return text === undefined ? undefined : await contentType(text, narrows, call, narrowing);
  } catch {
    // The step that reads it says what is wrong with it.
    return undefined;
  }
}

async function contentType(
  text: string,
  { form, at, otherwise }: ByFile,
  call: Call,
  { isFilled }: Narrowing,
): Promise<Type | undefined> {
  const { args, signature } = call;
  const encoding = args['encoding'] ?? 'utf-8';
  if (encoding !== 'utf-8') return undefined;
  switch (form) {
    case 'csv':
      return rowsOfCsv(text, args['delimiter'] ?? ',', resultType(signature.info)[0] ?? {});
    case 'jsonl':
      return listOf(
        union(text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [typeOfJson(JSON.parse(line) as Json)]))),
      );
    case 'json':
    case 'yaml': {
      const value = form === 'json' ? (JSON.parse(text) as Json) : await yamlValue(text);
      if (at === undefined) return typeOfJson(value);
      const path = args[at] ?? '';
      const other = otherwise === undefined ? null : (args[otherwise] ?? null);
      if (isFilled(path)) return undefined;
      const inside = valueAt(value, isList(path) ? path.map(String) : keySegments(String(path), value));
      return inside === undefined ? (isFilled(other) ? ANY : typeOfJson(other)) : typeOfJson(inside);
    }
  }
}

async function yamlValue(text: string): Promise<Json> {
  const { readPlainYaml } = await import('#grammar/document/yaml/read-plain.ts');
  return readPlainYaml(text);
}

/** Value at keys and indexes, negative ones from the end; undefined where nothing stands. */
function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const piece of path) {
    if (isList(here)) here = /^-?\d{1,15}$/.test(piece) ? here.at(Number(piece)) : undefined;
    else if (isObject(here) && Object.hasOwn(here, piece)) here = here[piece];
    else return undefined;
  }
  return here;
}

/** Rows with the columns of the first line; a cell has the type that the command declares for all of them. */
function rowsOfCsv(text: string, delimiter: Json, returns: JsonObject): Type | undefined {
  if (typeof delimiter !== 'string' || delimiter.length !== 1) return undefined;
  const [first] = records(text, delimiter);
  const items = returns['items'] ?? null;
  const cell = isObject(items) ? items['additionalProperties'] : undefined;
  if (first === undefined || !isObject(cell)) return undefined;
  const properties = Object.fromEntries(first.cells.map((name) => [name, cell] as const));
  return [{ type: 'array', items: { type: 'object', properties, additionalProperties: false } }];
}
