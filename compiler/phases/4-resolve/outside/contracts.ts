import { operationOf } from '#grammar/openapi/check-exchange.ts';
import { serverBasePath } from '#grammar/openapi/base-path.ts';
import { jsonMedia, operationsOf, type Operation } from '#grammar/openapi/operations.ts';
import { stripBasePath } from '#grammar/openapi/path-template.ts';
import { readOpenApiFile } from '#grammar/openapi/read.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import type { Call } from '../resolved.ts';
import { resultType } from '../result-fields.ts';
import { casesOf, DECLARED_BY, union, type Type } from '../value-type.ts';

import { bytesAt, textAt, type Narrowing } from './narrowing.ts';
import { typeOfSchema } from './schema-type.ts';

/** An OpenAPI document that the requests of a file keep to. */
export interface Contract {
  /** Name of it in findings: its path, or the command that holds it. */
  readonly name: string;
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
}

/** The document that a parameter holds, or names, with the files of the project that it refers to. */
export async function readContract(value: Json, call: Call, narrowing: Narrowing): Promise<Contract | undefined> {
  if (isObject(value)) return narrowing.isFilled(value) ? undefined : contract(call.signature.info.name, value);
  const path = narrowing.pathOf(value);
  const text = await textAt(value, call, narrowing);
  if (path === undefined || text === undefined) return undefined;
  const read = await readOpenApiFile(text, {
    path,
    root: narrowing.root,
    // The reference to a file that is not read stands for anything.
    files: { read: async (other) => (await bytesAt(other, call, narrowing)) ?? new Uint8Array() },
  });
  return 'document' in read ? contract(String(value), read.document) : undefined;
}

function contract(name: string, document: JsonObject): Contract {
  return { name, document, operations: operationsOf(document) };
}

/** Type of the result of a request for which one of the documents has an operation. */
export function answersOf(
  { args, signature: { info } }: Call,
  contracts: readonly Contract[],
  { baseUrl, isFilled }: Narrowing,
): Type | undefined {
  const { narrows } = info;
  if (narrows?.by !== 'answer') return undefined;
  const address = args[narrows.of];
  const method = narrows.verb ?? args[narrows.method ?? ''];
  if (typeof address !== 'string' || typeof method !== 'string' || isFilled(method)) return undefined;
  const url = urlOf(address, baseUrl);
  if (url === undefined) return undefined;
  for (const { name, document, operations } of contracts) {
    const path = stripBasePath(url.pathname, serverBasePath(document));
    const operation = operationOf({ method: method.replace(/^session_/i, ''), path }, operations);
    const body = operation && bodyOf(operation, document);
    if (operation !== undefined && body !== undefined)
      return withBody(resultType(info), body, `${operation.key} in ${name}`);
  }
  return undefined;
}

/** The address with its references as segments that stand for anything; the first one may be its origin. */
function urlOf(address: string, baseUrl: string | undefined): URL | undefined {
  const plain = address
    .replace(/^(?:\{\{[^{}]*\}\}|\$\{[^{}]*\})/, 'http://any')
    .replace(/\{\{[^{}]*\}\}|\$\{[^{}]*\}/g, '1');
  const base = baseUrl?.replace(/^(?:\{\{[^{}]*\}\}|\$\{[^{}]*\})/, 'http://any');
  return URL.parse(plain, base ?? 'http://any') ?? undefined;
}

/** The bodies of all answers that it declares; undefined where one of them may be any JSON. */
function bodyOf({ responses }: Operation, document: JsonObject): Type | undefined {
  const schemas = [...responses.values()].flatMap(({ media }) => jsonMedia(media) ?? []).map(({ schema }) => schema);
  if (schemas.length === 0 || schemas.includes(undefined)) return undefined;
  return union(schemas.map((schema) => typeOfSchema(schema ?? {}, document)));
}

function withBody(result: Type, body: Type, declaredBy: string): Type {
  const json = { anyOf: casesOf(body).map((each) => marked(each, declaredBy)) };
  return result.map((schema) => {
    const { properties } = schema;
    return isObject(properties) ? { ...schema, properties: { ...properties, json } } : schema;
  });
}

/** Says of every object in a type which document declares it. */
function marked(schema: JsonObject, declaredBy: string): JsonObject {
  const { properties, items } = schema;
  const choices = schema['anyOf'];
  if (Array.isArray(choices)) return { anyOf: choices.map((each) => marked(each as JsonObject, declaredBy)) };
  return {
    ...schema,
    ...(schema['type'] !== undefined && { [DECLARED_BY]: declaredBy }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, marked(each as JsonObject, declaredBy)]),
      ),
    }),
    ...(isObject(items) && { items: marked(items, declaredBy) }),
  };
}
