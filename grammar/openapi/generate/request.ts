import { styledText } from '#grammar/openapi/styled-text.ts';
import { exampleOf, fillPath } from '#grammar/openapi/example-value.ts';
import { fittingExample } from '#grammar/openapi/fitting-example.ts';
import { makeValue } from '#grammar/openapi/make-value.ts';
import { jsonMedia, type Media, type Operation } from '#grammar/openapi/operations.ts';
import { withoutMarked } from '#grammar/openapi/one-sided.ts';
import { queryParams } from '#grammar/openapi/query-pairs.ts';
import { resolvedObject } from '#grammar/openapi/reference.ts';
import { printLiteral } from '#grammar/reference/print.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** A request of an operation before it is an action: values by place, so that cases change one of them. */
export interface TestRequest {
  readonly operation: Operation;
  /** By place and name; path, query, header and cookie. */
  readonly values: ReadonlyMap<string, Json>;
  /** Undefined: it has none. */
  readonly body?: Json;
  readonly media?: Media;
  /** Schema of the body. */
  readonly schema?: JsonObject;
  /** Login as parameters of the action; absent: none is needed. */
  readonly login?: JsonObject;
}

/**
 * A request with everything that is required; `chance`: of made values in place of examples, with optional things as
 * well.
 */
export function requestOf(operation: Operation, document: JsonObject, chance?: () => number): TestRequest {
  const values = new Map<string, Json>();
  for (const { in: place, name, required, schema, source } of operation.parameters) {
    if (!required && !(chance && chance() < 0.5)) continue;
    values.set(
      `${place} ${name}`,
      chance ? makeValue(schema, { document, chance, varied: true }) : shown(source, schema, document),
    );
  }
  const media = operation.body && jsonMedia(operation.body.media);
  const login = loginOf(operation, document);
  return {
    operation,
    values,
    ...(media
      ? {
          media,
          schema: resolvedObject(media.schema, document),
          body: chance
            ? withoutMarked(
                makeValue(media.schema, { document, chance, varied: true }),
                media.schema,
                'readOnly',
                document,
              )
            : withoutMarked(shown(media.source, media.schema, document), media.schema, 'readOnly', document),
        }
      : {}),
    ...(login ? { login } : {}),
  };
}

/** The example that the document gives, whatever it is; without one a value that fits the schema. */
function shown(source: JsonObject, schema: Json | undefined, document: JsonObject): Json {
  const isSaid = source['example'] !== undefined || isObject(source['examples']);
  return isSaid ? exampleOf(source, schema, document) : fittingExample(source, schema, document);
}

/** The parameters of `AT_test_api_method` for a request. Texts of the document mean themselves. */
export function actionParams({ operation, values, body, media, login }: TestRequest): JsonObject {
  const at = (place: string): Record<string, Json> =>
    Object.fromEntries(
      [...values].flatMap(([key, value]) =>
        key.startsWith(`${place} `) ? [[key.slice(place.length + 1), value] as const] : [],
      ),
    );
  const texts = (all: Record<string, Json>): Record<string, Json> =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name, literalText(value)]));
  const query = queryParams(operation.parameters, at('query'));
  const type = media && !/^application\/json|\*/i.test(media.type) ? { 'Content-Type': media.type } : {};
  const headers = {
    ...type,
    ...headerTexts(operation, at('header')),
    ...(login?.['headers'] as JsonObject | undefined),
  };
  const cookies = texts(at('cookie'));
  const { headers: _headers, params, ...others } = login ?? {};
  const all = { ...(literal(query) as JsonObject), ...(params as JsonObject | undefined) };
  return {
    http_method: operation.method,
    test_url: `{{base_url}}${printLiteral(fillPath(operation.path, at('path'), operation.parameters))}`,
    ...(Object.keys(all).length > 0 ? { params: all } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(Object.keys(cookies).length > 0 ? { cookies } : {}),
    ...(body === undefined ? {} : { json: literal(body) }),
    ...others,
  };
}

/** The first way in that the document allows, with references to the environment. */
function loginOf({ source }: Operation, document: JsonObject): JsonObject | undefined {
  const allowed = source['security'] ?? document['security'];
  const list = Array.isArray(allowed) ? (allowed as readonly Json[]) : [];
  if (list.length === 0 || list.some((one) => isObject(one) && Object.keys(one).length === 0)) return undefined;
  const components = isObject(document['components']) ? document['components']['securitySchemes'] : undefined;
  const schemes = components ?? document['securityDefinitions'];
  let login: JsonObject = {};
  for (const name of Object.keys(isObject(list[0]) ? list[0] : {})) {
    const scheme = resolvedObject(isObject(schemes) ? schemes[name] : undefined, document);
    const kind = scheme['type'] === 'http' ? String(scheme['scheme']).toLowerCase() : scheme['type'];
    const field = String(scheme['name'] ?? '');
    if (kind === 'basic') login = { ...login, auth: ['${ENV.API_USER:-}', '${ENV.API_PASSWORD:-}'] };
    else if (kind === 'apiKey' && scheme['in'] === 'query')
      login = { ...login, params: { [field]: '${ENV.API_KEY:-}' } };
    else if (kind === 'apiKey' && scheme['in'] === 'cookie')
      login = { ...login, cookies: { [field]: '${ENV.API_KEY:-}' } };
    else if (kind === 'apiKey')
      login = { ...login, headers: { ...(login['headers'] as JsonObject | undefined), [field]: '${ENV.API_KEY:-}' } };
    else
      login = {
        ...login,
        headers: { ...(login['headers'] as JsonObject | undefined), Authorization: 'Bearer ${ENV.BEARER_TOKEN:-}' },
      };
  }
  return login;
}

function headerTexts({ parameters }: Operation, values: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const parameter = parameters.find((one) => one.in === 'header' && one.name === name) ?? { name, source: {} };
      return [name, printLiteral(styledText(parameter, value))];
    }),
  );
}

function literalText(value: Json): string {
  return printLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}

function literal(value: Json): Json {
  if (typeof value === 'string') return printLiteral(value);
  if (Array.isArray(value)) return value.map((item: Json) => literal(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item ?? null)]));
}
