import type { Operation } from '#grammar/openapi/operations.ts';
import { resolvedObject } from '#grammar/openapi/reference.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { MockRequest } from './port.ts';

/** Whether a document asks for a login that a request does not bring. The content of the login is not looked at. */
export function lacksLogin(
  request: Pick<MockRequest, 'headers' | 'query'>,
  { source }: Operation,
  document: JsonObject,
): boolean {
  const wanted = source['security'] ?? document['security'];
  if (!Array.isArray(wanted) || wanted.length === 0) return false;
  const { components } = document;
  const declared =
    (isObject(components) ? components['securitySchemes'] : undefined) ?? document['securityDefinitions'];
  const schemes = isObject(declared) ? declared : {};
  return !(wanted as readonly Json[]).some(
    (one) =>
      isObject(one) && Object.keys(one).every((name) => brings(request, resolvedObject(schemes[name], document))),
  );
}

/** A scheme that is not known cannot be lacking. */
function brings({ headers, query }: Pick<MockRequest, 'headers' | 'query'>, scheme: JsonObject): boolean {
  const { type, in: place, name, scheme: kind } = scheme;
  if (type === 'apiKey' && typeof name === 'string') {
    if (place === 'header') return headers[name.toLowerCase()] !== undefined;
    if (place === 'query') return query[name] !== undefined;
    return (headers['cookie'] ?? '').split(';').some((pair) => pair.trim().startsWith(`${name}=`));
  }
  if (type === 'mutualTLS' || typeof type !== 'string') return true;
  const word = type === 'basic' ? 'basic' : type === 'http' && typeof kind === 'string' ? kind.toLowerCase() : 'bearer';
  return (headers['authorization'] ?? '').toLowerCase().startsWith(`${word} `);
}
