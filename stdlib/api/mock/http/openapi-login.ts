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
  const ways = waysIn(source, document);
  return ways.length > 0 && !ways.some((schemes) => schemes.every((scheme) => brings(request, scheme)));
}

/** Value of `WWW-Authenticate` that names the logins a document asks for (RFC 9110 section 11.6.1). */
export function loginChallenge({ source }: Operation, document: JsonObject): string | undefined {
  const words = waysIn(source, document)
    .flat()
    .map((scheme) => authorizationWord(scheme));
  const challenges = new Set(words.filter((word) => word !== undefined).map((word) => `${word} realm="mock"`));
  return challenges.size === 0 ? undefined : [...challenges].join(', ');
}

/** The schemes of each login that an operation takes. */
function waysIn(source: JsonObject, document: JsonObject): readonly (readonly JsonObject[])[] {
  const wanted = source['security'] ?? document['security'];
  const { components } = document;
  const declared =
    (isObject(components) ? components['securitySchemes'] : undefined) ?? document['securityDefinitions'];
  const schemes = isObject(declared) ? declared : {};
  return (Array.isArray(wanted) ? (wanted as readonly Json[]) : [])
    .filter((one) => isObject(one))
    .map((one) => Object.keys(one).map((name) => resolvedObject(schemes[name], document)));
}

/** First word of the `Authorization` header of a scheme; undefined: it does not use that header, or nobody knows. */
function authorizationWord({ type, scheme }: JsonObject): string | undefined {
  if (type === 'http' && typeof scheme === 'string') return scheme.charAt(0).toUpperCase() + scheme.slice(1);
  if (type === 'basic') return 'Basic';
  return type === 'oauth2' || type === 'openIdConnect' ? 'Bearer' : undefined;
}

/** A scheme that is not known cannot be lacking. */
function brings({ headers, query }: Pick<MockRequest, 'headers' | 'query'>, scheme: JsonObject): boolean {
  const { type, in: place, name } = scheme;
  if (type === 'apiKey' && typeof name === 'string') {
    if (place === 'header') return headers[name.toLowerCase()] !== undefined;
    if (place === 'query') return query[name] !== undefined;
    return (headers['cookie'] ?? '').split(';').some((pair) => pair.trim().startsWith(`${name}=`));
  }
  if (type === 'mutualTLS' || typeof type !== 'string') return true;
  const word = (authorizationWord(scheme) ?? 'Bearer').toLowerCase();
  return (headers['authorization'] ?? '').toLowerCase().startsWith(`${word} `);
}
