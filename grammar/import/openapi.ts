import { baseUrl } from '#grammar/openapi/example-actions.ts';
import { styledText } from '#grammar/openapi/styled-text.ts';
import { fillPath, successStatus } from '#grammar/openapi/example-value.ts';
import { fittingExample } from '#grammar/openapi/fitting-example.ts';
import { jsonMedia, operationsOf, type Operation } from '#grammar/openapi/operations.ts';
import { queryPairs } from '#grammar/openapi/query-pairs.ts';
import { resolvedObject } from '#grammar/openapi/reference.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { printLiteral } from '../reference/print.ts';
import { RequestDraft } from './draft.ts';
import { ImportError, type ImportedFile, type ImportedStep } from './file.ts';
import { Credentials } from './request.ts';
import { Variables } from './variables.ts';

/** Marks names that stand for credentials. */
const OWN = 'svc:';

/**
 * A step for each operation of an OpenAPI document of version 2.0 to 3.1, filled from its examples; it expects the
 * lowest declared status of success. The address of the server is the input `base_url`.
 */
export function importOpenApi(document: JsonObject, start = baseUrl(document)): ImportedFile {
  const credentials = new Credentials();
  // Braces of a document mean themselves; only what is put in here stands for something else.
  const builtIn = (name: string): string =>
    name.startsWith(OWN) ? credentials.reference(name.slice(OWN.length)) : printLiteral(`{{${name}}}`);
  const variables = new Variables({ known: new Map(), builtIn }, credentials);
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(start);
  const prefix = isAbsolute ? '' : start;
  const info = isObject(document['info']) ? document['info'] : {};
  const lost: string[] = [];
  if (isObject(document['webhooks'])) lost.push('the webhooks, which are requests of the server');
  for (const [path, item] of Object.entries(isObject(document['paths']) ? document['paths'] : {}))
    if (isObject(item) && item['trace'] !== undefined) lost.push(`TRACE ${path}: the verb has no counterpart`);
    else if (
      isObject(item) &&
      typeof item['$ref'] === 'string' &&
      Object.keys(resolvedObject(item, document)).length === 0
    )
      lost.push(`${path}: its operations stand in ${item['$ref']}, which was not read`);
  const steps = operationsOf(document).map((operation) =>
    readOperation(operation, document, `{{base_url}}${prefix}`, new RequestDraft(variables, credentials)),
  );
  if (steps.length === 0) throw new ImportError(['it has no operation', ...lost].join('; '));
  return {
    from: `OpenAPI ${String(document['openapi'] ?? document['swagger'])}`,
    meta: {
      ...(typeof info['title'] === 'string' && info['title'].trim() !== '' ? { name: info['title'].trim() } : {}),
      inputs: { base_url: { type: 'string', ...(isAbsolute ? { default: start } : {}) } },
    },
    steps,
    lost,
    secrets: credentials.keys,
  };
}

function readOperation(operation: Operation, document: JsonObject, start: string, draft: RequestDraft): ImportedStep {
  const { source, parameters, path } = operation;
  const title = [source['operationId'], source['summary']].find((one) => typeof one === 'string' && one.trim() !== '');
  draft.options['name'] = printLiteral(typeof title === 'string' ? title.trim() : operation.key);
  const tags = Array.isArray(source['tags'])
    ? source['tags'].filter((tag) => typeof tag === 'string' && /^\S+$/.test(tag))
    : [];
  if (tags.length > 0) draft.options['tags'] = [...new Set(tags as string[])];
  draft.options['expect'] = `result.status_code == ${successStatus(operation)}`;
  const values: Record<string, Json> = {};
  for (const parameter of parameters) {
    const { name, in: place, required, schema, source: given } = parameter;
    const value = place === 'path' || required ? fittingExample(given, schema, document) : undefined;
    if (value === undefined) continue;
    if (place === 'path') values[name] = value;
    else if (place === 'query') for (const [key, item] of queryPairs(parameter, value)) draft.query(key, textOf(item));
    else if (place === 'header') draft.header(name, styledText(parameter, value));
    else if (place === 'cookie') draft.header('Cookie', `${name}=${textOf(value)}`);
  }
  readSecurity(operation, document, draft);
  readBody(operation, document, draft);
  if (isObject(source['callbacks'])) draft.lost.push('the callbacks, which are requests of the server');
  return draft.step(operation.method, `${start}${printLiteral(fillPath(path, values, operation.parameters))}`);
}

function readBody({ body }: Operation, document: JsonObject, draft: RequestDraft): void {
  if (!body || body.media.length === 0) return;
  const json = jsonMedia(body.media);
  if (json) {
    const type = /^application\/(?:json|\*)|^\*\/\*/i.test(json.type) ? undefined : json.type;
    const value = fittingExample(json.source, json.schema, document);
    if (typeof value === 'object' && value !== null) draft.body(JSON.stringify(value), type);
    else draft.params['json'] = typeof value === 'string' ? printLiteral(value) : value;
    return;
  }
  const [media] = body.media;
  const form = body.media.find(({ type }) => /^application\/x-www-form-urlencoded|^multipart\/form-data/i.test(type));
  if (form) {
    const value = fittingExample(form.source, form.schema, document);
    const { properties } = resolvedObject(form.schema, document);
    const isFile = (name: string): boolean =>
      isBinary(isObject(properties ?? null) ? (properties as JsonObject)[name] : undefined, document);
    const fields = Object.entries(isObject(value) ? value : {}).flatMap(([name, field]) =>
      (Array.isArray(field) ? (field as readonly Json[]) : [field ?? null]).map((one) =>
        isFile(name)
          ? { name, value: typeof one === 'string' ? one : 'string', filename: name }
          : { name, value: textOf(one) },
      ),
    );
    if (/^multipart/i.test(form.type)) draft.multipart(fields);
    else draft.form(fields);
    return;
  }
  const example = media && media.source['example'];
  if (media && typeof example === 'string') draft.body(example, media.type);
  else draft.lost.push(`the body of type ${media?.type ?? 'unknown'}, for which the document has no example`);
}

/** Whether a field of a form is a file: so named by version 2.0, bytes by version 3. */
function isBinary(schema: Json | undefined, document: JsonObject): boolean {
  const { type, format, contentMediaType, items } = resolvedObject(schema, document);
  return (
    type === 'file' ||
    format === 'binary' ||
    contentMediaType !== undefined ||
    (type === 'array' && isBinary(items, document))
  );
}

/** The first way in that the document allows. */
function readSecurity({ source }: Operation, document: JsonObject, draft: RequestDraft): void {
  const allowed = source['security'] ?? document['security'];
  const [first] = Array.isArray(allowed) ? (allowed as readonly Json[]) : [];
  const components = isObject(document['components']) ? document['components']['securitySchemes'] : undefined;
  const schemes = components ?? document['securityDefinitions'];
  for (const name of Object.keys(isObject(first ?? null) ? (first as JsonObject) : {})) {
    const scheme = resolvedObject(isObject(schemes ?? null) ? (schemes as JsonObject)[name] : undefined, document);
    const kind = scheme['type'] === 'http' ? String(scheme['scheme']).toLowerCase() : scheme['type'];
    if (kind === 'basic')
      draft.params['auth'] = [draft.text(`{{${OWN}API_USER}}`), draft.text(`{{${OWN}API_PASSWORD}}`)];
    else if (kind === 'digest') draft.digest(`{{${OWN}API_USER}}`, `{{${OWN}API_PASSWORD}}`);
    else if (kind === 'bearer' || kind === 'oauth2' || kind === 'openIdConnect') draft.bearer(`{{${OWN}BEARER_TOKEN}}`);
    else if (kind === 'apiKey' && typeof scheme['name'] === 'string') {
      const value = `{{${OWN}${/key|token|secret/i.test(name) ? name : `${name}_KEY`}}}`;
      if (scheme['in'] === 'query') draft.query(scheme['name'], value);
      else if (scheme['in'] === 'cookie') draft.header('Cookie', `${scheme['name']}=${value}`);
      else draft.header(scheme['name'], value);
    } else if (kind !== undefined) draft.lost.push(`the authentication "${name}"`);
  }
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
