import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { OPENERS } from '#schemas/generated/openers.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import type { Meta, WrittenDataset, WrittenInput, WrittenOpenApi } from './ast.ts';
import {
  closed,
  count,
  flag,
  given,
  label,
  missing,
  notOneOf,
  object,
  placeOf,
  seconds,
  text,
  texts,
  wrong,
  type Owner,
} from './fields.ts';
import { matrix } from './matrix.ts';
import { countMeant, onlyMeant, writing, type Meant } from './meant.ts';
import { isIdentifier, isVariableName } from './names.ts';
import { jsonType } from './type-words.ts';
import { onFailure } from './options.ts';
import { retry } from './retry.ts';

/** The version of the action language that this compiler reads. */
export const LANGUAGE = '1.0';

type Readers = { readonly [Field in keyof Required<Meta>]: (owner: Owner) => Meta[Field] | undefined };
const READERS: Readers = {
  name: (owner) => label(owner, 'name'),
  description: (owner) => label(owner, 'description'),
  tags: (owner) => texts(owner, 'tags', true),
  depends_on: (owner) => texts(owner, 'depends_on'),
  inputs,
  secrets: (owner) => texts(owner, 'secrets', true),
  modules: (owner) => texts(owner, 'modules'),
  env: (owner) => text(owner, 'env'),
  env_keys: (owner) => texts(owner, 'env_keys'),
  dataset,
  timeout_s: (owner) => seconds(owner, 'timeout_s'),
  run_for_s: (owner) => seconds(owner, 'run_for_s'),
  seed,
  openapi,
  retry,
  on_failure: onFailure,
  fail_fast: (owner) => flag(owner, 'fail_fast'),
  max_workers: (owner) => count(owner, 'max_workers'),
  defaults,
  base_url: (owner) => text(owner, 'base_url'),
  returns,
  sessions,
  matrix,
  locks: (owner) => (typeof owner.object['locks'] === 'string' ? oneText(owner, 'locks') : texts(owner, 'locks')),
};

/** The keys of `meta` that mean something. */
export const META_KEYS: readonly string[] = [...Object.keys(READERS), 'lint', 'requires'];

/** Reads `meta`; keys that the language does not know are kept by the document and ignored here. */
export function readMeta(value: Json | undefined, source: SourceId, report: Report): Meta {
  if (value === undefined || value === null) return {};
  const top: Owner = { title: 'the file', object: { meta: value }, route: [], source, report };
  if (!isObject(value)) return wrong(top, ['meta'], 'an object', value) ?? {};
  const owner: Owner = { ...top, title: 'meta', object: value, route: ['meta'] };
  requires(owner);
  misspelt(owner);
  const meta: Record<string, unknown> = {};
  for (const [field, read] of Object.entries(READERS)) {
    const read_ = read(owner);
    if (read_ !== undefined) meta[field] = read_;
  }
  return meta satisfies Meta;
}

/** The key of `meta` that another one is nearly, where it is not there itself. */
export function metaKeyNear(key: string, meta: JsonObject): string | undefined {
  if (META_KEYS.includes(key)) return undefined;
  const free = META_KEYS.filter((name) => !Object.hasOwn(meta, name));
  return didYouMean(key, free, key.length > 5 ? 2 : 1)[0];
}

function misspelt(owner: Owner): void {
  for (const key of Object.keys(owner.object)) {
    const nearest = metaKeyNear(key, owner.object);
    if (nearest === undefined) continue;
    const fix: Fix = {
      title: `rename it to "${nearest}"`,
      safety: 'unsafe',
      operations: [{ kind: 'rename-key', route: [...owner.route, key], key: nearest }],
    };
    owner.report(d.metaKeyMisspelt({ at: { ...placeOf(owner, key), part: 'key' }, key, nearest, fixes: [fix] }));
  }
}

function oneText(owner: Owner, field: string): readonly string[] | undefined {
  const only = text(owner, field);
  return only === undefined ? undefined : [only];
}

function requires(owner: Owner): void {
  const value = given(owner, 'requires');
  if (value === undefined) return;
  const wanted = typeof value === 'number' ? String(value) : value;
  if (typeof wanted !== 'string' || !/^\d+(\.\d+)*$/.test(wanted)) {
    const [, least] = /^(?:[>^~v]=?|=) ?(\d+(?:\.\d+)*)$/.exec(String(wanted)) ?? [];
    const meant = least === undefined ? undefined : writing([...owner.route, 'requires'], least, 'safe', `"${least}"`);
    wrong(owner, ['requires'], 'a version such as "1.0"', value, meant);
  } else if (isNewer(wanted))
    owner.report(d.languageTooNew({ at: placeOf(owner, 'requires'), wanted, have: LANGUAGE }));
}

function isNewer(wanted: string): boolean {
  const have = LANGUAGE.split('.').map(Number);
  for (const [index, piece] of wanted.split('.').map(Number).entries()) {
    const mine = have[index] ?? 0;
    if (piece !== mine) return piece > mine;
  }
  return false;
}

function inputs(owner: Owner): readonly WrittenInput[] | undefined {
  const written = inputObject(owner);
  if (written === undefined) return undefined;
  const result: WrittenInput[] = [];
  for (const [name, schema] of Object.entries(written)) {
    if (!isVariableName(owner, ['inputs', name], name, 'key')) continue;
    const input = inputOf(owner, name, schema);
    if (input !== undefined) result.push(input);
  }
  return result;
}

/** Inputs by name; a list of names is reported, and stands for inputs of any type. */
function inputObject(owner: Owner): JsonObject | undefined {
  const value = given(owner, 'inputs');
  if (value === undefined || !isList(value)) return object(owner, 'inputs');
  const meant = Object.fromEntries(value.filter((name) => typeof name === 'string').map((name) => [name, {}]));
  wrong(owner, ['inputs'], 'an object', value, schemasMeant(meant, [...owner.route, 'inputs'], 'safe'));
  return meant;
}

function schemasMeant(
  value: JsonObject,
  route: Route,
  safety: Fix['safety'],
): { readonly text: string; readonly fixes: readonly Fix[] } {
  const text = JSON.stringify(value)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replaceAll(/,(?=\w)/g, ', ');
  return { text, fixes: [{ title: `write ${text}`, safety, operations: [{ kind: 'replace', route, value }] }] };
}

/** `user: string`, as the schema that it stands for; another value is likely what the input is when it is not given. */
function schemaMeant(value: Exclude<Json, JsonObject>): readonly [schema: JsonObject, safety: Fix['safety']] {
  if (value === null) return [{}, 'safe'];
  const type = typeof value === 'string' ? jsonType(value) : undefined;
  return type === undefined ? [{ default: value }, 'unsafe'] : [{ type }, 'safe'];
}

function inputOf(owner: Owner, name: string, value: Json): WrittenInput | undefined {
  if (isObject(value)) return inputBy(owner, name, value);
  const [schema, safety] = schemaMeant(value);
  const route = ['inputs', name];
  wrong(owner, route, 'a JSON Schema', value, schemasMeant(schema, [...owner.route, ...route], safety));
  return inputBy(owner, name, schema);
}

function inputBy(owner: Owner, name: string, written: JsonObject): WrittenInput {
  const own: Owner = { ...owner, title: `input "${name}"`, object: written, route: [...owner.route, 'inputs', name] };
  const { default: fallback, secret: _secret, ...schema } = written;
  return {
    name,
    schema,
    ...(fallback === undefined ? {} : { default: fallback }),
    secret: flag(own, 'secret') ?? false,
  };
}

function seed(owner: Owner): number | undefined {
  const value = given(owner, 'seed');
  if (value === undefined) return undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : wrong(owner, ['seed'], 'a whole number from 0', value, countMeant(value, [...owner.route, 'seed']));
}

function openapi(owner: Owner): WrittenOpenApi | undefined {
  const value = given(owner, 'openapi');
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '') return { path: value };
  if (!isObject(value)) return wrong(owner, ['openapi'], 'a path, or an object', value);
  const own: Owner = { ...owner, title: 'openapi', object: value, route: [...owner.route, 'openapi'] };
  closed(own, ['path', 'min_coverage', 'report']);
  const [path, report, least] = [text(own, 'path'), text(own, 'report'), given(own, 'min_coverage')];
  if (path === undefined) return given(own, 'path') === undefined ? missing(own, 'path') : undefined;
  return { path, ...(least === undefined ? {} : { min_coverage: least }), ...(report === undefined ? {} : { report }) };
}

/** Names of other tools for what a dataset says. */
const DATASET_WORDS = {
  ...{ csv: 'path', data: 'path', file: 'path', filename: 'path', source: 'path', src: 'path' },
  ...{ separator: 'delimiter', sep: 'delimiter', charset: 'encoding', max_rows: 'limit', rows: 'limit' },
};

function dataset(owner: Owner): WrittenDataset | undefined {
  const value = given(owner, 'dataset');
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '') return { path: value, route: [...owner.route, 'dataset'] };
  if (!isObject(value))
    return wrong(owner, ['dataset'], 'a path, or an object', value, onlyMeant(value, [...owner.route, 'dataset'], []));
  const own: Owner = { ...owner, title: 'dataset', object: value, route: [...owner.route, 'dataset'] };
  closed(own, ['path', 'delimiter', 'encoding', 'limit'], DATASET_WORDS);
  const path = text(own, 'path');
  if (path === undefined) return given(own, 'path') === undefined ? missing(own, 'path', DATASET_WORDS) : undefined;
  const [delimiter, encoding, limit] = [delimiterOf(own), text(own, 'encoding'), count(own, 'limit')];
  return {
    path,
    route: [...own.route, 'path'],
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function delimiterOf(owner: Owner): string | undefined {
  const value = text(owner, 'delimiter');
  return value === undefined || value.length === 1 ? value : wrong(owner, ['delimiter'], 'one character', value);
}

/** Names of other tools for sessions of browsers. */
const SESSION_WORDS = {
  ...{ chrome: 'webdriver', chromedriver: 'webdriver', selenium: 'webdriver', firefox: 'webdriver' },
  ...{ pw: 'playwright', page: 'playwright', chromium: 'playwright', webkit: 'playwright' },
};

/** Sessions that a caller must bring, by the names that commands have for them. */
function sessions(owner: Owner): readonly string[] | undefined {
  const names = Object.keys(OPENERS);
  const written = given(owner, 'sessions');
  const known = texts(owner, 'sessions', true)?.filter((name) => {
    if (!names.includes(name) && isList(written))
      notOneOf(owner, ['sessions', written.indexOf(name)], names, name, SESSION_WORDS);
    return names.includes(name);
  });
  return known?.length === 0 ? undefined : known;
}

/** A list of names, or an object of values with references, by the names that they have in the result. */
function returns(owner: Owner): JsonObject | undefined {
  const value = given(owner, 'returns');
  if (value === undefined) return undefined;
  if (isObject(value)) return value;
  const names = isList(value) ? texts(owner, 'returns') : undefined;
  if (names === undefined)
    return isList(value)
      ? undefined
      : wrong(owner, ['returns'], 'a list of variables, or an object', value, named(value, owner));
  const known = names.filter((name, index) => isVariableName(owner, ['returns', index], name));
  return Object.fromEntries(known.map((name) => [name, `{{${name}}}`]));
}

/** `total`, and `{{total}}`: the one variable that a list would name. */
function named(value: Json, owner: Owner): Meant | undefined {
  const [, bare, inBraces] = typeof value === 'string' ? (/^(\w+)$|^\{\{ ?(\w+) ?\}\}$/.exec(value) ?? []) : [];
  const name = bare ?? inBraces;
  return name === undefined || !isIdentifier(name) ? undefined : writing([...owner.route, 'returns'], [name], 'safe');
}

function defaults(owner: Owner): Readonly<Record<string, JsonObject>> | undefined {
  const written = object(owner, 'defaults');
  if (written === undefined) return undefined;
  const found: [command: string, parameters: JsonObject][] = [];
  for (const [command, parameters] of Object.entries(written)) {
    if (isObject(parameters)) found.push([command, parameters]);
    else wrong(owner, ['defaults', command], 'an object of parameters', parameters);
  }
  return Object.fromEntries(found);
}
