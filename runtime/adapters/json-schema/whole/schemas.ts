import { percentDecoded } from '#grammar/source/percent-decoded.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isList, isObject, pointerKeys, type Json, type JsonObject } from '#schemas/types/json.ts';

import { dialectOf, isSince, type Dialect } from '../dialect.ts';
import { hasKeyword, partsOf } from './keywords.ts';

/** A schema with an address of its own: the whole document, or a part of it with `$id`. */
export interface Resource {
  readonly uri: string;
  readonly root: Json;
  readonly dialect: Dialect;
  readonly anchors: Map<string, SchemaAt>;
  /** Names that `$dynamicRef` looks for on the way that led to it. */
  readonly dynamic: Map<string, SchemaAt>;
}

/** A schema and where it stands. */
export interface SchemaAt {
  readonly schema: Json;
  readonly resource: Resource;
  /** JSON pointer from the root of the resource. */
  readonly pointer: string;
}

/** Address of a document without `$id`. Relative addresses go on from here. */
const HERE = 'schema://root/';

export interface Schemas {
  readonly root: SchemaAt;
  /** Follows `$ref`, `$dynamicRef` or `$recursiveRef` to where it leads at first. Fails where that is nowhere. */
  resolve(from: SchemaAt, reference: string): SchemaAt;
  /** The schema at a key of a schema, or deeper; undefined where there is none. */
  step(from: SchemaAt, ...keys: readonly (string | number)[]): SchemaAt | undefined;
}

/** Reads a document once: its resources by address, their anchors by name. `known` gives the dialects' own schemas. */
export function readSchemas(document: JsonObject, dialect: Dialect, known: (uri: string) => Json | undefined): Schemas {
  const resources = new Map<string, Resource>();
  const roots = new Map<Json, Resource>();
  const step = (from: SchemaAt, ...keys: readonly (string | number)[]): SchemaAt | undefined => {
    let here: SchemaAt | undefined = from;
    for (const key of keys) here = here && stepInto(here, String(key), roots);
    return here;
  };
  const read = (schema: Json, parent: Resource | undefined, pointer: string, base: string, own: Dialect): void => {
    if (!isObject(schema)) return;
    const resource = resourceOf(schema, parent, base, own);
    if (resource !== parent) {
      if (!resources.has(resource.uri)) resources.set(resource.uri, resource);
      roots.set(schema, resource);
    }
    const at = resource === parent ? pointer : '';
    nameAnchors(schema, { schema, resource, pointer: at });
    for (const keys of partsOf(schema, resource.dialect)) {
      const part = keys.reduce<Json | undefined>((whole, key) => valueAt(whole, String(key)), schema);
      if (part !== undefined) read(part, resource, `${at}${pointerOf(keys)}`, resource.uri, resource.dialect);
    }
  };
  const find = (uri: string): Resource | undefined => {
    const other = resources.has(uri) ? undefined : known(uri);
    if (other !== undefined) read(other, undefined, '', uri, isObject(other) ? (dialectOf(other) ?? dialect) : dialect);
    return resources.get(uri);
  };
  read(document, undefined, '', HERE, dialect);
  return {
    root: {
      schema: document,
      resource: roots.get(document) ?? resourceOf(document, undefined, HERE, dialect),
      pointer: '',
    },
    step,
    resolve: (from, reference) => {
      const target = follow(reference, from.resource.uri, find, step);
      if (target === undefined) throw fail.schemaReference({ reference });
      return target;
    },
  };
}

function resourceOf(schema: JsonObject, parent: Resource | undefined, base: string, dialect: Dialect): Resource {
  const uri = idOf(schema, base, parent?.dialect ?? dialect);
  if (parent !== undefined && (uri === undefined || uri === parent.uri)) return parent;
  const named = own(schema, '$schema') === undefined ? dialect : dialectOf(schema);
  if (named === undefined) throw fail.schemaDialect({ dialect: String(schema['$schema']) });
  return { uri: uri ?? base, root: schema, dialect: named, anchors: new Map(), dynamic: new Map() };
}

/** The address that `$id` gives, without a fragment. Before 2019-09 nothing counts beside `$ref`. */
function idOf(schema: JsonObject, base: string, dialect: Dialect): string | undefined {
  const id = own(schema, '$id');
  if (typeof id !== 'string' || (own(schema, '$ref') !== undefined && !isSince(dialect, '2019-09'))) return undefined;
  return URL.parse(id, base)?.href.replace(/#.*$/s, '');
}

function nameAnchors(schema: JsonObject, at: SchemaAt): void {
  const { anchors, dynamic, dialect } = at.resource;
  const id = own(schema, '$id');
  if (!isSince(dialect, '2019-09')) {
    if (typeof id === 'string' && /#./s.test(id) && own(schema, '$ref') === undefined)
      anchors.set(percentDecoded(id.slice(id.indexOf('#') + 1)), at);
    return;
  }
  const anchor = own(schema, '$anchor');
  if (typeof anchor === 'string') anchors.set(anchor, at);
  const moving = hasKeyword(dialect, '$dynamicAnchor') ? own(schema, '$dynamicAnchor') : undefined;
  if (typeof moving !== 'string') return;
  anchors.set(moving, at);
  dynamic.set(moving, at);
}

function follow(
  reference: string,
  base: string,
  find: (uri: string) => Resource | undefined,
  step: Schemas['step'],
): SchemaAt | undefined {
  const url = URL.parse(reference, base);
  if (url === null) return undefined;
  const fragment = percentDecoded(url.hash.slice(1));
  const resource = find(url.href.replace(/#.*$/s, ''));
  if (resource === undefined) return undefined;
  const root = { schema: resource.root, resource, pointer: '' };
  if (fragment === '') return root;
  if (!fragment.startsWith('/')) return resource.anchors.get(fragment);
  return step(root, ...pointerKeys(fragment));
}

function stepInto(from: SchemaAt, key: string, roots: ReadonlyMap<Json, Resource>): SchemaAt | undefined {
  const schema = valueAt(from.schema, key);
  if (schema === undefined) return undefined;
  const resource = isObject(schema) ? roots.get(schema) : undefined;
  return resource
    ? { schema, resource, pointer: '' }
    : { schema, resource: from.resource, pointer: `${from.pointer}${pointerOf([key])}` };
}

function valueAt(whole: Json | undefined, key: string): Json | undefined {
  if (isList(whole)) return /^\d+$/.test(key) ? whole[Number(key)] : undefined;
  return isObject(whole) ? own(whole, key) : undefined;
}

/** A member that an object has itself: never one that every object has. */
export function own(whole: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(whole, key) ? whole[key] : undefined;
}

/** `/a~1b/0` */
export function pointerOf(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
