import { writtenProblems } from '#grammar/openapi/check-parameters.ts';
import { successStatus } from '#grammar/openapi/example-value.ts';
import { operationsOf, type Operation } from '#grammar/openapi/operations.ts';
import { resolvedObject } from '#grammar/openapi/reference.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { boundsOf } from './bounds.ts';
import type { CaseKind, TestCase } from './test-case.ts';
import { chainsOf } from './chains.ts';
import { actionParams, requestOf, type TestRequest } from './request.ts';
import { seeded } from './seeded.ts';

export interface Generating {
  readonly seed: number;
  readonly kinds: readonly CaseKind[];
  /** Random requests for each operation. */
  readonly count: number;
}

/** Cases of one document. */
const MOST = 5000;
const refused = 'result.status_code >= 400 && result.status_code < 500';
const taken = 'result.status_code < 400';

/** Tests for all operations of a document; the same seed gives the same tests. `cut`: there were more than are made. */
export function generateCases(
  document: JsonObject,
  { seed, kinds, count }: Generating,
): { readonly cases: readonly TestCase[]; readonly cut: boolean } {
  const cases: TestCase[] = [];
  const operations = operationsOf(document);
  const has = (kind: CaseKind): boolean => kinds.includes(kind);
  for (const [index, operation] of operations.entries()) {
    const base = requestOf(operation, document);
    if (has('examples'))
      cases.push(
        one(
          'examples',
          operation,
          'as the document shows it',
          base,
          `result.status_code == ${successStatus(operation)}`,
        ),
      );
    const chance = seeded(seed + index * 7919);
    if (has('random'))
      for (let at = 1; at <= count; at++)
        cases.push(
          one('random', operation, `made ${at}`, requestOf(operation, document, chance), 'result.status_code < 500'),
        );
    for (const each of variants(base, document))
      if (has(each.kind))
        cases.push(
          one(each.kind, operation, each.about, each.request, each.kind === 'negatives' ? refused : taken, each.tested),
        );
    if (has('authentication') && base.login) {
      const { login: _login, ...without } = base;
      cases.push(
        one(
          'authentication',
          operation,
          'without a login',
          without,
          'result.status_code == 401 || result.status_code == 403',
        ),
      );
    }
  }
  if (has('chains')) cases.push(...chainsOf(operations, document));
  return { cases: cases.slice(0, MOST), cut: cases.length > MOST };
}

function one(
  kind: CaseKind,
  { key, method }: Operation,
  about: string,
  request: TestRequest,
  expect: string,
  tested?: string,
): TestCase {
  const name = `${key}: ${about}`.replaceAll('{{', '{ {').replaceAll('${', '$ {');
  const { json, ...plain } = actionParams(request);
  const params = json === undefined || method === 'get' || method === 'head' ? plain : { ...plain, json };
  const fixed = [...(tested === undefined ? [] : [tested]), ...neededBy(kind, request)];
  return { kind, name, steps: [{ params, options: { name, tags: [kind], expect }, fixed }] };
}

/** Values without which a test would be another one: the login, and of tests with right values whatever is required. */
function neededBy(kind: CaseKind, { operation, login, schema }: TestRequest): readonly string[] {
  const parts = ['headers', 'cookies', 'params'] as const;
  const ofLogin = parts.flatMap((part) =>
    Object.keys((login?.[part] as JsonObject | undefined) ?? {}).map((name) => `${part} ${name}`),
  );
  if (kind === 'negatives' || kind === 'random') return ofLogin;
  const places: Readonly<Record<string, string>> = { query: 'params', header: 'headers', cookie: 'cookies' };
  const parameters = operation.parameters.flatMap(({ in: place, name, required }) =>
    required && places[place] !== undefined ? [`${places[place]} ${name}`] : [],
  );
  const fields = Array.isArray(schema?.['required']) ? (schema['required'] as readonly Json[]) : [];
  return [
    ...ofLogin,
    ...parameters,
    ...fields.map((name) => `json ${String(name)}`),
    ...(operation.body?.required ? ['json'] : []),
  ];
}

interface Variant {
  readonly kind: 'boundaries' | 'negatives';
  readonly about: string;
  readonly request: TestRequest;
  /** Value that is tested, as `json title`. */
  readonly tested?: string;
}

/** The request with one value changed to each side of a bound, or left out where it is required. */
function* variants(base: TestRequest, document: JsonObject): Generator<Variant> {
  const { operation, values } = base;
  for (const parameter of operation.parameters) {
    const { in: place, name, required, schema } = parameter;
    const key = `${place} ${name}`;
    const changed = (value: Json): TestRequest => ({ ...base, values: new Map([...values, [key, value]]) });
    const { valid, invalid } = boundsOf(schema, document);
    for (const { about, value } of valid)
      yield {
        kind: 'boundaries',
        about: `${place} ${name} ${about}`,
        request: changed(value),
        tested: partOf(place, name),
      };
    for (const { about, value } of invalid)
      // An empty text makes another address.
      if (value !== '' && writtenProblems(value, parameter, document).length > 0)
        yield {
          kind: 'negatives',
          about: `${place} ${name} ${about}`,
          request: changed(value),
          tested: partOf(place, name),
        };
    if (required && place !== 'path' && place !== 'cookie')
      yield {
        kind: 'negatives',
        about: `without ${place} ${name}`,
        request: { ...base, values: new Map([...values].filter(([one]) => one !== key)) },
      };
  }
  yield* bodyVariants(base, document);
}

function* bodyVariants(base: TestRequest, document: JsonObject): Generator<Variant> {
  const { body, media, operation } = base;
  if (body === undefined || !media) return;
  const schema = resolvedObject(media.schema, document);
  if (operation.body?.required === true) {
    const { body: _body, ...without } = base;
    yield { kind: 'negatives', about: 'without its body', request: without };
  }
  if (!isObject(body)) return;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, part] of Object.entries(properties)) {
    if (resolvedObject(part, document)['readOnly'] === true) continue;
    const changed = (value: Json): TestRequest => ({ ...base, body: { ...body, [name]: value } });
    const { valid, invalid } = boundsOf(part, document);
    for (const { about, value } of valid)
      yield { kind: 'boundaries', about: `${name} ${about}`, request: changed(value), tested: `json ${name}` };
    for (const { about, value } of invalid)
      yield { kind: 'negatives', about: `${name} ${about}`, request: changed(value), tested: `json ${name}` };
    if (kindOf(part, document) === 'string')
      yield { kind: 'negatives', about: `${name} a list`, request: changed([]), tested: `json ${name}` };
  }
  for (const name of Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : []) {
    if (typeof name !== 'string' || !Object.hasOwn(body, name)) continue;
    const { [name]: _left, ...rest } = body;
    yield { kind: 'negatives', about: `without ${name}`, request: { ...base, body: rest } };
  }
  if (schema['additionalProperties'] === false)
    yield {
      kind: 'negatives',
      about: 'with a field that is not declared',
      request: { ...base, body: { ...body, not_declared: true } },
      tested: 'json not_declared',
    };
}

/** Parameter of the action in which a parameter of the document stands. */
function partOf(place: string, name: string): string {
  return `${{ query: 'params', header: 'headers', cookie: 'cookies' }[place] ?? place} ${name}`;
}

function kindOf(schema: Json | undefined, document: JsonObject): Json | undefined {
  return resolvedObject(schema, document)['type'];
}
