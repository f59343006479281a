import type { JsonObject } from '#schemas/types/json.ts';

import { bodyProblems } from './check-body.ts';
import type { ExchangeFacts } from './exchange.ts';
import { valueProblems } from './check-parameters.ts';
import { answerFor, headerParameter, type Answer, type Operation } from './operations.ts';
import { resolvedObject } from './reference.ts';

/** Parts of an answer that do not fit its operation: status, headers, media type, body. */
export function exchangeAnswerProblems(
  exchange: ExchangeFacts,
  operation: Operation,
  document: JsonObject,
): readonly string[] {
  const answer = answerFor(operation, exchange.status);
  // From version 3.1 on an operation may declare no answer at all, and then allows any.
  if (!answer) return operation.responses.size === 0 ? [] : [`status ${exchange.status} is not declared`];
  const { responseBody: body } = exchange;
  return [
    ...headerProblems(exchange, answer, document),
    ...(body && answer.media.length > 0 ? bodyProblems(body, answer.media, document, 'response') : []),
  ];
}

function headerProblems(
  { responseHeaders: headers = {} }: ExchangeFacts,
  { headers: declared }: Answer,
  document: JsonObject,
): readonly string[] {
  // There is no answer without any header: nobody knows them.
  if (Object.keys(headers).length === 0) return [];
  return Object.entries(declared).flatMap(([name, given]) => {
    const source = resolvedObject(given, document);
    // The document itself passes over this one; cookies are read and hidden apart.
    if (/^(?:content-type|set-cookie)$/i.test(name)) return [];
    const value = headers[name.toLowerCase()];
    if (value === undefined)
      return source['required'] === true ? [`response header "${name}" is missing, and the document asks for it`] : [];
    return valueProblems(value, headerParameter(name, source), document).map((problem) =>
      problem.replace(/^header parameter/, 'response header'),
    );
  });
}
