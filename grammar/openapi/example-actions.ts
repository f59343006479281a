import { exampleBody, exampleOf, fillPath, successStatus } from './example-value.ts';
import { styledText } from './styled-text.ts';
import { serverBasePath, serverUrl } from './base-path.ts';
import { jsonMedia, operationsOf } from './operations.ts';
import type { Operation } from './operations.ts';
import { queryParams } from './query-pairs.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** A test action for each operation, made of the examples in the document; `only`: of these alone. */
export function exampleActions(document: JsonObject, only?: readonly string[]): [name: string, params: JsonObject][] {
  const start = baseUrl(document);
  return operationsOf(document)
    .filter(({ key }) => only?.includes(key) ?? true)
    .map((operation) => ['AT_test_api_method', request(operation, document, start)]);
}

/** Address that requests go to: the first server; of version 2.0 scheme, host and path. Empty where none is given. */
export function baseUrl(document: JsonObject): string {
  const { servers, host, schemes } = document;
  if (typeof host === 'string') {
    const [scheme = 'https'] = Array.isArray(schemes) ? (schemes as string[]) : [];
    return `${scheme}://${host}${serverBasePath(document)}`;
  }
  const [server] = Array.isArray(servers) ? (servers as readonly Json[]) : [];
  // Without a scheme it has that of the document, which nobody knows here.
  const url = serverUrl(server).replace(/\/+$/, '');
  return (url.startsWith('//') ? `https:${url}` : url) || serverBasePath(document);
}

function request(operation: Operation, document: JsonObject, start: string): JsonObject {
  const values = (place: string, all: boolean): Record<string, Json> =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === place && (all || parameter.required))
        .map(({ name, source, schema }) => [name, exampleOf(source, schema, document)]),
    );
  const query = queryParams(operation.parameters, values('query', false));
  const headers = Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'header' && parameter.required)
      .map((parameter) => [
        parameter.name,
        styledText(parameter, exampleOf(parameter.source, parameter.schema, document)),
      ]),
  );
  const media = operation.body && jsonMedia(operation.body.media);
  return {
    http_method: operation.method,
    test_url: `${start}${fillPath(operation.path, values('path', true), operation.parameters)}`,
    ...(Object.keys(query).length > 0 ? { params: query } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(media ? { json: exampleBody(media, document) } : {}),
    result_check_dict: { status_code: successStatus(operation) },
  };
}
