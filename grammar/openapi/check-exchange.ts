import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { answerFor, jsonMedia } from './operations.ts';
import type { Media, Operation, Parameter } from './operations.ts';
import { matchPathTemplates, pathAlone, pathParameters } from './path-template.ts';
import { deepObject, NotWritten, valueOfText, valueOfTexts } from './parameter-value.ts';
import { resolved } from './reference.ts';
import { HIDDEN, schemaFindings } from './schema-findings.ts';

/** One request with its answer, as far as it is known. */
export interface ExchangeFacts {
  readonly method: string;
  /** Below the base path of the document, still encoded. */
  readonly path: string;
  /** Decoded, in order. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Absent: there was none. */
  readonly requestBody?: Body;
  /** Names in lower case; absent: unknown. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Absent: there was none, or nobody knows. */
  readonly responseBody?: Body;
}

export interface Body {
  /** Media type without parameters, in lower case; absent: unknown. */
  readonly type?: string;
  /** Absent: it is no JSON. */
  readonly json?: Json;
}

/** The operation that an exchange used; undefined: the document has none for its verb and path. */
export function operationOf(
  facts: Pick<ExchangeFacts, 'method' | 'path'>,
  operations: readonly Operation[],
): Operation | undefined {
  return operationsFor(facts, operations)[0];
}

/**
 * The operation that an exchange used, with the parts of it that do not fit; undefined: the document has none for its
 * verb and path. Of several that it may have used it is the one that fits best.
 */
export function heldToDocument(
  exchange: ExchangeFacts,
  operations: readonly Operation[],
  document: JsonObject,
): { readonly operation: Operation; readonly problems: readonly string[] } | undefined {
  const found = operationsFor(exchange, operations).map((operation) => ({
    operation,
    problems: exchangeProblems(exchange, operation, document),
  }));
  return found.reduce<(typeof found)[number] | undefined>(
    (best, one) => (best && best.problems.length <= one.problems.length ? best : one),
    undefined,
  );
}

/**
 * Several where the document tells operations of one path apart by a query or a fragment behind it, as many do, and
 * where it leaves open which of them a path means: `/{kind}/me` and `/books/{id}`.
 */
function operationsFor(
  { method, path }: Pick<ExchangeFacts, 'method' | 'path'>,
  operations: readonly Operation[],
): readonly Operation[] {
  const verb = method.toLowerCase();
  const ofVerb = operations.filter((operation) => operation.method === verb);
  const templates = matchPathTemplates(
    path,
    ofVerb.map((operation) => pathAlone(operation.path)),
  );
  return ofVerb.filter((operation) => templates.includes(pathAlone(operation.path)));
}

/** Facts about a request that are held to its operation. */
export type RequestFacts = Omit<ExchangeFacts, 'status' | 'responseBody'>;

/** Parts of a request that do not fit its operation: parameters and body, and headers where they are known. */
export function exchangeRequestProblems(
  request: RequestFacts,
  operation: Operation,
  document: JsonObject,
): readonly string[] {
  return [
    ...queryProblems(request, operation, document),
    ...pathProblems(request, operation, document),
    ...headerProblems(request, operation, document),
    ...requestProblems(request, operation, document),
  ];
}

/** Parts of an exchange that do not fit its operation: parameters, request body, status, answer. */
export function exchangeProblems(
  exchange: ExchangeFacts,
  operation: Operation,
  document: JsonObject,
): readonly string[] {
  return [
    ...exchangeRequestProblems(exchange, operation, document),
    ...exchangeAnswerProblems(exchange, operation, document),
  ];
}

function queryProblems({ query }: RequestFacts, operation: Operation, document: JsonObject): readonly string[] {
  const declared = operation.parameters.filter(({ in: place }) => place === 'query');
  if (declared.length === 0 && query.length === 0) return [];
  const found: string[] = [];
  // Some documents write the query into the path.
  const inPath = (name: string): boolean =>
    [...operation.path.matchAll(/[?&]([^=&]+)=/g)].some(([, written]) => written === name);
  // An object with style "form" is spread over names that are its fields.
  const isOpen = declared.some(({ schema }) => isSpread(resolved(schema, document)));
  for (const name of new Set(query.map(([given]) => given))) {
    const parameter = declared.find(
      (one) => one.name === name || one.name === `${name}[]` || one.name === name.replace(/\[.*$/s, ''),
    );
    if (!parameter && !isOpen && !keyNames(document).has(name) && !inPath(name))
      found.push(`query parameter "${name}" is not declared`);
    if (parameter?.name !== name) continue;
    const values = query.filter(([given]) => given === name).map(([, value]) => value);
    const list = values.some((value) => value.includes(HIDDEN)) ? undefined : valueOfTexts(values, parameter, document);
    if (list !== undefined) found.push(...wholeProblems(list, parameter, document));
    else
      for (const value of values.length === 1 ? values : []) found.push(...valueProblems(value, parameter, document));
  }
  for (const parameter of declared.filter(({ source }) => source['style'] === 'deepObject')) {
    const value = deepObject(query, parameter, document);
    if (value !== undefined) found.push(...wholeProblems(value, parameter, document));
  }
  for (const { name, required, schema, source } of declared)
    if (
      required &&
      !query.some(([given]) => given.replace(/\[.*$/s, '') === name.replace(/\[.*$/s, '')) &&
      (source['style'] === 'deepObject' || !isSpread(resolved(schema, document)))
    )
      found.push(`required query parameter "${name}" was not sent`);
  return found;
}

/** Names by which logins stand in the query. */
function keyNames(document: JsonObject): ReadonlySet<string> {
  const { components, securityDefinitions } = document;
  const schemes = isObject(components) ? components['securitySchemes'] : securityDefinitions;
  const named = isObject(schemes ?? null) ? (Object.values(schemes as JsonObject) as readonly Json[]) : [];
  return new Set(
    named.flatMap((scheme) =>
      isObject(scheme) && scheme['in'] === 'query' && typeof scheme['name'] === 'string' ? [scheme['name']] : [],
    ),
  );
}

function isSpread(schema: Json): boolean {
  return isObject(schema) && (schema['type'] === 'object' || isObject(schema['properties']));
}

function pathProblems({ path }: RequestFacts, operation: Operation, document: JsonObject): readonly string[] {
  const values = pathParameters(path, pathAlone(operation.path)) ?? {};
  return operation.parameters.flatMap((parameter) => {
    const value = parameter.in === 'path' ? values[parameter.name] : undefined;
    return value === undefined ? [] : valueProblems(value, parameter, document);
  });
}

function headerProblems({ headers }: RequestFacts, operation: Operation, document: JsonObject): readonly string[] {
  if (!headers) return [];
  // The document itself passes over these three.
  const own = /^(?:accept|authorization|content-type)$/i;
  return operation.parameters
    .filter(({ in: place, name }) => place === 'header' && !own.test(name))
    .flatMap((parameter) => {
      const value = headers[parameter.name.toLowerCase()];
      if (value === undefined) return parameter.required ? [`required header "${parameter.name}" was not sent`] : [];
      return valueProblems(value, parameter, document);
    });
}

/** Texts of parameters are judged where their schema says number, boolean or a list of values. */
function valueProblems(text: string, parameter: Parameter, document: JsonObject): readonly string[] {
  if (text.includes(HIDDEN)) return [];
  const schema = resolved(parameter.schema, document);
  if (!isObject(schema)) return [];
  const whole = valueOfText(text, parameter, document);
  if (whole instanceof NotWritten) return [`${parameter.in} parameter "${parameter.name}": "${text}" ${whole.reason}`];
  if (whole !== undefined) return wholeProblems(whole, parameter, document);
  const value = readText(text, schema['type']);
  const where = `${parameter.in} parameter "${parameter.name}"`;
  if (value === undefined) return [`${where}: "${text}" is no ${String(schema['type'])}`];
  if (typeof value === 'string' && (schema['enum'] === undefined || isListed(text, schema['enum']))) return [];
  return schemaFindings(value, schema, { document, direction: 'request' }, where);
}

function wholeProblems(value: Json, { in: place, name, schema }: Parameter, document: JsonObject): readonly string[] {
  return schemaFindings(value, schema, { document, direction: 'request' }, `${place} parameter "${name}"`);
}

/** Whether a list names a text, as a number or another value too: in an address all of them are texts. */
function isListed(text: string, list: Json): boolean {
  return Array.isArray(list) && (list as readonly Json[]).some((one) => !isObject(one) && String(one) === text);
}

function readText(text: string, type: Json | undefined): Json | undefined {
  if (type === 'integer' || type === 'number')
    return /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}

function requestProblems(exchange: RequestFacts, { body }: Operation, document: JsonObject): readonly string[] {
  const { requestBody: sent } = exchange;
  if (!sent) return body?.required === true ? ['the declared request body was not sent'] : [];
  if (!body || body.media.length === 0) return ['a request body was sent, and none is declared'];
  return bodyProblems(sent, body.media, document, 'request');
}

/** Parts of an answer that do not fit its operation: status, media type, body. */
export function exchangeAnswerProblems(
  exchange: ExchangeFacts,
  operation: Operation,
  document: JsonObject,
): readonly string[] {
  const answer = answerFor(operation, exchange.status);
  if (!answer) return [`status ${exchange.status} is not declared`];
  const { responseBody: body } = exchange;
  if (!body || answer.media.length === 0) return [];
  return bodyProblems(body, answer.media, document, 'response');
}

function bodyProblems(
  { type, json }: Body,
  declared: readonly Media[],
  document: JsonObject,
  direction: 'request' | 'response',
): readonly string[] {
  const media = type === undefined ? jsonMedia(declared) : declared.find((one) => covers(one.type, type));
  if (!media && type !== undefined)
    return [`${direction} body: media type ${type} is not declared (${declared.map((one) => one.type).join(', ')})`];
  if (!media || json === undefined) return [];
  return schemaFindings(json, media.schema, { document, direction }).map((finding) => `${direction} body ${finding}`);
}

/** Whether a declared media type or range takes a type. */
function covers(declared: string, type: string): boolean {
  const range = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (range === '*/*' || range === type) return true;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1));
}
