import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { otherBasePaths, serverBasePath } from './base-path.ts';
import { resolvedObject } from './reference.ts';

const verbs = ['get', 'put', 'post', 'patch', 'delete', 'options', 'head', 'trace'] as const;

/** One operation of an OpenAPI document of version 2.0 or 3.x, in one form. */
export interface Operation {
  /** `VERB /template`. */
  readonly key: string;
  /** Method in lower case. */
  readonly method: string;
  readonly path: string;
  /** Beginnings of paths that its servers name, beside the one of the document's first server. */
  readonly bases: readonly RegExp[];
  /** Parameters with those of the path; where both declare one, that of the operation. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  /** Answers by status as it is written: `200`, `2XX`, `default`. */
  readonly responses: ReadonlyMap<string, Answer>;
  /** Operation as the document has it. */
  readonly source: JsonObject;
}

/** A template, or a key, that is the same whatever its parameters are called. */
export function withoutNames(template: string): string {
  return template.replaceAll(/\{[^{}]*\}/g, '{}');
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Json;
  readonly source: JsonObject;
}

export interface RequestBody {
  readonly required: boolean;
  readonly media: readonly Media[];
}

export interface Answer {
  readonly media: readonly Media[];
  readonly headers: JsonObject;
}

export interface Media {
  readonly type: string;
  readonly schema: Json | undefined;
  readonly source: JsonObject;
}

/** All operations, in the order of the document. */
export function operationsOf(document: JsonObject): readonly Operation[] {
  const paths = isObject(document['paths']) ? document['paths'] : {};
  const usual = serverBasePath(document);
  const around = { document, usual, bases: otherBasePaths(document['servers'], usual) };
  return Object.entries(paths).flatMap(([path, item]) => {
    const shared = resolvedObject(item, document);
    return Object.entries(shared)
      .filter(([verb, source]) => (verbs as readonly string[]).includes(verb) && isObject(source))
      .map(([verb, source]) => readOperation(path, verb, source as JsonObject, { shared, ...around }));
  });
}

/** The answer that is declared for a status: exactly, as `2XX` in either case, or as `default`. */
export function answerFor({ responses }: Operation, status: number): Answer | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return (
    responses.get(String(status)) ??
    responses.get(range) ??
    responses.get(range.toLowerCase()) ??
    responses.get('default')
  );
}

/** Content declared for JSON, with a schema; undefined: none. */
export function jsonMedia(media: readonly Media[]): Media | undefined {
  const isJson = ({ type }: Media): boolean => /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
  return media.find(isJson) ?? media.find(({ type }) => type === '*/*' || type === 'application/*');
}

interface Around {
  readonly shared: JsonObject;
  readonly document: JsonObject;
  /** Base path of the document, and the others that its servers name. */
  readonly usual: string;
  readonly bases: readonly RegExp[];
}

function readOperation(path: string, method: string, source: JsonObject, around: Around): Operation {
  const { shared, document, usual, bases } = around;
  const own = source['servers'] ?? shared['servers'];
  const parameters = readParameters([shared['parameters'], source['parameters']], document);
  const isOld = typeof document['swagger'] === 'string';
  const body = isOld ? oldBody(parameters, source, document) : newBody(source, document);
  const responses = isObject(source['responses']) ? Object.entries(source['responses']) : [];
  return {
    key: `${method.toUpperCase()} ${path}`,
    method,
    path,
    bases: own === undefined ? bases : [...otherBasePaths(own, usual), ...bases],
    parameters: parameters.filter(({ in: place }) => place !== 'body' && place !== 'formData'),
    body,
    responses: new Map(
      responses.map(([status, answer]) => [status, readAnswer(resolvedObject(answer, document), source, document)]),
    ),
    source,
  };
}

function readParameters(lists: readonly (Json | undefined)[], document: JsonObject): readonly Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const list of lists)
    for (const given of Array.isArray(list) ? (list as readonly Json[]) : []) {
      const source = resolvedObject(given, document);
      const { name, in: place, required } = source;
      if (typeof name !== 'string' || typeof place !== 'string') continue;
      byName.set(`${place} ${name}`, {
        name,
        in: place,
        required: required === true || place === 'path',
        schema: schemaOf(source),
        source,
      });
    }
  return [...byName.values()];
}

/** A header of an answer, which has the form of a parameter without name and place. */
export function headerParameter(name: string, source: JsonObject): Parameter {
  return { name, in: 'header', required: source['required'] === true, schema: schemaOf(source), source };
}

function schemaOf(source: JsonObject): Json {
  const { schema, content } = source;
  const [media] = isObject(content) ? (Object.values(content) as readonly Json[]) : [];
  // Version 2.0 has the keywords of the schema beside the name.
  return schema ?? (isObject(media) ? (media['schema'] ?? {}) : oldSchema(source));
}

function oldSchema({
  name: _name,
  in: _in,
  required: _required,
  description: _description,
  ...keywords
}: JsonObject): Json {
  return keywords;
}

function newBody(source: JsonObject, document: JsonObject): RequestBody | undefined {
  if (source['requestBody'] === undefined) return undefined;
  const { required, content } = resolvedObject(source['requestBody'], document);
  return { required: required === true, media: readMedia(content, document) };
}

function oldBody(parameters: readonly Parameter[], source: JsonObject, document: JsonObject): RequestBody | undefined {
  const whole = parameters.find(({ in: place }) => place === 'body');
  const fields = parameters.filter(({ in: place }) => place === 'formData');
  if (whole) {
    const types = texts(source['consumes'] ?? document['consumes'], ['application/json']);
    return {
      required: whole.required,
      media: types.map((type) => ({ type, schema: whole.schema, source: whole.source })),
    };
  }
  if (fields.length === 0) return undefined;
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
  const types = texts(source['consumes'] ?? document['consumes'], ['application/x-www-form-urlencoded']);
  return {
    required: schema.required.length > 0,
    media: types.map((type) => ({ type, schema, source: {} })),
  };
}

function readAnswer(answer: JsonObject, operation: JsonObject, document: JsonObject): Answer {
  const headers = isObject(answer['headers']) ? answer['headers'] : {};
  if (answer['schema'] === undefined) return { media: readMedia(answer['content'], document), headers };
  const types = texts(operation['produces'] ?? document['produces'], ['application/json']);
  const examples = isObject(answer['examples']) ? answer['examples'] : {};
  return {
    media: types.map((type) => ({
      type,
      schema: answer['schema'],
      source: examples[type] === undefined ? {} : { example: examples[type] ?? null },
    })),
    headers,
  };
}

function readMedia(content: Json | undefined, document: JsonObject): readonly Media[] {
  if (!isObject(content)) return [];
  return Object.entries(content).map(([type, value]) => {
    const source = resolvedObject(value, document);
    return { type, schema: source['schema'], source };
  });
}

function texts(value: Json | undefined, fallback: readonly string[]): readonly string[] {
  const list = Array.isArray(value) ? (value as readonly Json[]).filter((item) => typeof item === 'string') : [];
  return list.length > 0 ? list : fallback;
}
