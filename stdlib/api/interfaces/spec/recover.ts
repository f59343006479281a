import type { Body } from '#grammar/openapi/body.ts';
import { Shape } from '#grammar/openapi/infer-schema.ts';
import { matchPathTemplate } from '#grammar/openapi/path-template.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { RecordedRequest } from '../../saved-records.ts';
import { recordFacts } from '../record-facts.ts';

export interface RecoverOptions {
  readonly title: string;
  readonly version: string;
  /** Paths are folded under these; others stay as they are. */
  readonly templates?: readonly string[];
  /** Cut from the beginning of paths. */
  readonly basePath?: string;
  readonly servers?: Json | undefined;
}

export interface RecoveredDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: Json;
  readonly paths: JsonObject;
}

/** The bodies that were seen in one place, by the media type that their headers name. */
class Bodies {
  readonly #json = new Map<string, Shape>();
  readonly #texts = new Set<string>();
  #isAlways = true;

  add(body: Body | undefined): void {
    if (!body) this.#isAlways = false;
    else if (body.json === undefined) this.#texts.add(body.type ?? 'text/plain');
    else getOrAdd(this.#json, body.type ?? 'application/json', () => new Shape()).add(body.json);
  }

  get isAlways(): boolean {
    return this.#isAlways;
  }

  get content(): JsonObject | undefined {
    const types = [...new Set([...this.#json.keys(), ...this.#texts])].toSorted();
    if (types.length === 0) return undefined;
    return Object.fromEntries(
      types.map((type) => [type, { schema: this.#json.get(type)?.schema() ?? { type: 'string' } }]),
    );
  }
}

interface Seen {
  readonly queries: Set<string>;
  readonly request: Bodies;
  readonly responses: Map<number, Bodies>;
}

const verbs = ['get', 'put', 'post', 'patch', 'delete', 'options', 'head'];

/** The OpenAPI 3.1.0 document that records describe: the same for the same records in any order. */
export function recoverOpenApi(records: readonly RecordedRequest[], options: RecoverOptions): RecoveredDocument {
  const paths = new Map<string, Map<string, Seen>>();
  for (const record of records) {
    const facts = recordFacts(record, options.basePath);
    if (!facts) continue;
    const path = matchPathTemplate(facts.path, options.templates ?? []) ?? facts.path;
    const operations = getOrAdd(paths, path, () => new Map<string, Seen>());
    const seen = getOrAdd(operations, facts.method.toLowerCase(), newSeen);
    for (const [name] of facts.query) seen.queries.add(name);
    seen.request.add(facts.requestBody);
    getOrAdd(seen.responses, facts.status, () => new Bodies()).add(facts.responseBody);
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version },
    ...(options.servers === undefined ? {} : { servers: options.servers }),
    paths: Object.fromEntries(
      sortedKeys(paths).map((path) => [path, pathItem(path, paths.get(path) ?? new Map<string, Seen>())]),
    ),
  };
}

function newSeen(): Seen {
  return { queries: new Set(), request: new Bodies(), responses: new Map() };
}

function pathItem(path: string, operations: ReadonlyMap<string, Seen>): JsonObject {
  const known = verbs.filter((verb) => operations.has(verb));
  const others = sortedKeys(operations).filter((verb) => !verbs.includes(verb));
  return Object.fromEntries(
    [...known, ...others].map((verb) => [verb, operation(path, operations.get(verb) ?? newSeen())]),
  );
}

function operation(path: string, { queries, request, responses }: Seen): JsonObject {
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => ({
    name: name ?? '',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = [...queries]
    .toSorted()
    .map((name) => ({ name, in: 'query', required: false, schema: { type: 'string' } }));
  const parameters = [...inPath, ...inQuery];
  const body = request.content;
  const statuses = [...responses.keys()].toSorted((a, b) => a - b);
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { ...(request.isAlways ? { required: true } : {}), content: body } } : {}),
    responses: Object.fromEntries(statuses.map((status) => [String(status), response(responses.get(status))])),
  };
}

function response(bodies: Bodies | undefined): JsonObject {
  const content = bodies?.content;
  return { description: 'inferred', ...(content ? { content } : {}) };
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function sortedKeys(map: ReadonlyMap<string, unknown>): readonly string[] {
  return [...map.keys()].toSorted();
}
