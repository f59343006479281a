import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { bracketValue } from './bracket-fields.ts';
import type { RequestFacts } from './exchange.ts';
import type { Operation, Parameter } from './operations.ts';
import { NotWritten, readText, spreadObject, valueOfText, valueOfTexts } from './parameter-value.ts';
import { pathAlone, pathParameters } from './path-template.ts';
import { queryPairs } from './query-pairs.ts';
import { resolved } from './reference.ts';
import { HIDDEN, schemaFindings } from './schema-findings.ts';
import { styledText } from './styled-text.ts';

/** Parameters of a request that do not fit its operation; those in headers and cookies where headers are known. */
export function parameterProblems(
  request: RequestFacts,
  operation: Operation,
  document: JsonObject,
): readonly string[] {
  return [
    ...queryProblems(request, operation, document),
    ...pathProblems(request, operation, document),
    ...headerProblems(request, operation, document),
    ...cookieProblems(request, operation, document),
  ];
}

function queryProblems(
  { query }: Pick<RequestFacts, 'query'>,
  operation: Pick<Operation, 'path' | 'parameters'>,
  document: JsonObject,
): readonly string[] {
  const declared = operation.parameters.filter(({ in: place }) => place === 'query');
  if (declared.length === 0 && query.length === 0) return [];
  const spread = declared.filter((parameter) => isSpread(parameter, document));
  return [
    ...undeclared(query, declared, { operation, document, isOpen: spread.length > 0 }),
    ...declared.flatMap((parameter) => {
      const { name, required, source } = parameter;
      if (source['style'] === 'deepObject') {
        const fields = query.filter(([given]) => given.startsWith(`${name}[`));
        const inBrackets = fields.map(([given, text]) => [given.slice(name.length), text] as const);
        const value = fields.length > 0 ? bracketValue(inBrackets, parameter.schema, document) : undefined;
        if (value !== undefined) return wholeProblems(value, parameter, document);
      } else if (spread.includes(parameter)) {
        const value = spreadObject(query, parameter, { declared, isAlone: spread.length === 1, document });
        return value === undefined ? [] : wholeProblems(value, parameter, document);
      }
      const values = query.filter(([given]) => given === name).map(([, value]) => value);
      if (values.length > 0) return textsProblems(values, parameter, document);
      const isSent = query.some(([given]) => given.replace(/\[.*$/s, '') === name.replace(/\[.*$/s, ''));
      return required && !isSent ? [`required query parameter "${name}" was not sent`] : [];
    }),
  ];
}

function textsProblems(texts: readonly string[], parameter: Parameter, document: JsonObject): readonly string[] {
  if (texts.some((text) => text.includes(HIDDEN))) return [];
  if (parameter.source['allowEmptyValue'] === true && texts.every((text) => text === '')) return [];
  const list = valueOfTexts(texts, parameter, document);
  if (list !== undefined) return wholeProblems(list, parameter, document);
  return texts.flatMap((text) => valueProblems(text, parameter, document));
}

interface Asked {
  readonly operation: Pick<Operation, 'path' | 'parameters'>;
  readonly document: JsonObject;
  /** A parameter is spread over names that are its fields. */
  readonly isOpen: boolean;
}

function undeclared(
  query: RequestFacts['query'],
  declared: readonly Parameter[],
  { operation, document, isOpen }: Asked,
): readonly string[] {
  if (isOpen) return [];
  // Some documents write the query into the path.
  const inPath = new Set([...operation.path.matchAll(/[?&]([^=&]{1,1000})=/g)].map(([, written]) => written));
  const names = new Set(query.map(([given]) => given));
  return [...names].flatMap((name) => {
    const parameter = declared.find(
      (one) => one.name === name || one.name === `${name}[]` || one.name === name.replace(/\[.*$/s, ''),
    );
    return parameter || inPath.has(name) || keyNames(document).has(name)
      ? []
      : [`query parameter "${name}" is not declared`];
  });
}

/** Names by which logins stand in the query. */
function keyNames(document: JsonObject): ReadonlySet<string> {
  const { components, securityDefinitions } = document;
  const schemes = isObject(components) ? components['securitySchemes'] : securityDefinitions;
  const named = isObject(schemes) ? (Object.values(schemes) as readonly Json[]) : [];
  return new Set(
    named.flatMap((scheme) =>
      isObject(scheme) && scheme['in'] === 'query' && typeof scheme['name'] === 'string' ? [scheme['name']] : [],
    ),
  );
}

/** Whether a parameter is an object that is spread over names that are its fields, as style `form` does. */
function isSpread({ schema: given, source }: Parameter, document: JsonObject): boolean {
  const { style = 'form', content } = source;
  const schema = resolved(given, document);
  if (style !== 'form' || (source['explode'] ?? true) !== true || isObject(content)) return false;
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

function cookieProblems({ headers }: RequestFacts, operation: Operation, document: JsonObject): readonly string[] {
  const sent = headers?.['cookie'] ?? '';
  if (!headers || sent.includes(HIDDEN)) return [];
  const cookies = new Map(
    sent.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), value.join('=').trim()] as const;
    }),
  );
  return operation.parameters
    .filter(({ in: place }) => place === 'cookie')
    .flatMap((parameter) => {
      const value = cookies.get(parameter.name);
      if (value === undefined) return parameter.required ? [`required cookie "${parameter.name}" was not sent`] : [];
      return valueProblems(value, parameter, document);
    });
}

/** Reasons why a value does not fit as the parameter is written: many a value stands for another one in an address. */
export function writtenProblems(value: Json, parameter: Parameter, document: JsonObject): readonly string[] {
  const { in: place } = parameter;
  if (place === 'query') {
    const query = queryPairs(parameter, value).flatMap(([key, item]) =>
      item === null ? [] : [[key, inText(item)] as const],
    );
    return queryProblems({ query }, { path: '', parameters: [parameter] }, document);
  }
  const text = place === 'cookie' ? inText(value) : styledText(parameter, value);
  return valueProblems(text, parameter, document);
}

function inText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reasons why the text of a parameter does not fit: as the value that it says by style and schema. */
export function valueProblems(text: string, parameter: Parameter, document: JsonObject): readonly string[] {
  if (text.includes(HIDDEN)) return [];
  const where = `${parameter.in} parameter "${parameter.name}"`;
  const whole = valueOfText(text, parameter, document);
  if (whole instanceof NotWritten) return [`${where}: "${text}" ${whole.reason}`];
  if (whole !== undefined) return wholeProblems(whole, parameter, document);
  const value = readText(text, parameter.schema, document);
  if (value instanceof NotWritten) return [`${where}: "${text}" ${value.reason}`];
  return value === undefined ? [] : wholeProblems(value, parameter, document);
}

function wholeProblems(value: Json, { in: place, name, schema }: Parameter, document: JsonObject): readonly string[] {
  return schemaFindings(value, schema, { document, direction: 'request' }, `${place} parameter "${name}"`);
}
