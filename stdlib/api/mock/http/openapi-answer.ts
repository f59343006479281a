import { acceptedMedia } from '#grammar/openapi/accepted-media.ts';
import { exampleOf, successStatus } from '#grammar/openapi/example-value.ts';
import { fittingExample } from '#grammar/openapi/fitting-example.ts';
import { withoutMarked } from '#grammar/openapi/one-sided.ts';
import { makeValue } from '#grammar/openapi/make-value.ts';
import { answerFor, jsonMedia } from '#grammar/openapi/operations.ts';
import type { Media, Operation } from '#grammar/openapi/operations.ts';
import { resolvedObject } from '#grammar/openapi/reference.ts';
import { schemaFindings } from '#grammar/openapi/schema-findings.ts';
import { styledText } from '#grammar/openapi/styled-text.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { inText } from '#runtime/kernel/values/convert.ts';

import type { MockAnswer } from './port.ts';

export interface Preference {
  readonly status?: number;
  readonly example?: string;
  /** `Accept` of the request; absent: anything. */
  readonly accept?: string;
}

/**
 * An answer that the document allows: the preferred status, else the lowest of success, else the first that is
 * declared; an example where there is one that fits its schema, else a value made of the schema.
 */
export function declaredAnswer(
  operation: Operation,
  document: JsonObject,
  { status: preferred, example, accept }: Preference,
): MockAnswer | { readonly problem: string } {
  const status = preferred ?? usualStatus(operation);
  // A document that declares no answer at all forbids none.
  if (preferred === undefined && operation.responses.size === 0) return { status };
  const answer = answerFor(operation, status);
  if (!answer) return { problem: `${operation.key}: the document declares no answer with status ${status}` };
  const headers = saidHeaders(answer.headers, document);
  const usual = jsonMedia(answer.media) ?? answer.media[0];
  const media = accept === undefined ? usual : (acceptedMedia(accept, answer.media, usual) ?? usual);
  if (!media || status === 204 || status === 304) return { status, headers };
  const body = bodyOf(media, document, example);
  if (body === undefined)
    return { problem: `${operation.key}: no value was found that fits the schema of status ${status}` };
  const type = /\*/.test(media.type) ? 'application/json' : media.type;
  const isJson = /json/i.test(type);
  return {
    status,
    headers: { ...headers, 'content-type': type },
    // Text that is JSON needs its quotes.
    body: isJson ? JSON.stringify(body) : inText(body),
  };
}

/** The status of an answer that nobody asked for otherwise. */
export function usualStatus(operation: Operation): number {
  const keys = [...operation.responses.keys()];
  if (keys.some((key) => /^2\d\d$/.test(key))) return successStatus(operation);
  if (keys.some((key) => /^2XX$/i.test(key)) || keys.includes('default') || keys.length === 0) return 200;
  return Math.min(...keys.map((key) => Number(key.replace(/XX$/i, '00'))).filter(Number.isInteger));
}

function bodyOf({ schema, source }: Media, document: JsonObject, preferred: string | undefined): Json | undefined {
  const fits = (value: Json): boolean =>
    schemaFindings(value, schema, { document, direction: 'response' }).length === 0;
  const examples = isObject(source['examples']) ? source['examples'] : {};
  const named = preferred === undefined ? undefined : resolvedObject(examples[preferred], document)['value'];
  const forClients = (value: Json): Json => withoutMarked(value, schema, 'writeOnly', document);
  if (named !== undefined && fits(forClients(named))) return forClients(named);
  const said = forClients(exampleOf(source, schema, document));
  if (schema === undefined || fits(said)) return said;
  // The same for each request: a mock that changes its mind makes tests that fail now and then.
  for (const share of [0, 0.3, 0.6, 0.9]) {
    const made = forClients(makeValue(schema, { document, chance: () => share }));
    if (fits(made)) return made;
  }
  return undefined;
}

/** Whether an answer with a status has content, and none of the media types that a client accepts. */
export function isUnacceptable(operation: Operation, status: number, accept: string): boolean {
  const media = status === 204 || status === 304 ? [] : (answerFor(operation, status)?.media ?? []);
  return media.length > 0 && acceptedMedia(accept, media, undefined) === undefined;
}

/** Headers that must be there, and those of which the document says a value. */
function saidHeaders(declared: JsonObject, document: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, given]) => {
      const header = resolvedObject(given, document);
      if (/^content-(?:type|length)$/i.test(name)) return [];
      if (header['required'] !== true && !saysValue(header, document)) return [];
      return [
        [name, styledText({ name, source: header }, fittingExample(header, header['schema'], document))] as const,
      ];
    }),
  );
}

function saysValue(header: JsonObject, document: JsonObject): boolean {
  const schema = resolvedObject(header['schema'], document);
  return [header['example'], header['examples'], schema['example'], schema['examples'], schema['default']].some(
    (value) => value !== undefined,
  );
}
