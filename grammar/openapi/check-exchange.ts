import type { JsonObject } from '#schemas/types/json.ts';

import { pathsBelow } from './base-path.ts';
import { exchangeAnswerProblems } from './check-answer.ts';
import { bodyProblems } from './check-body.ts';
import { parameterProblems } from './check-parameters.ts';
import type { ExchangeFacts, RequestFacts } from './exchange.ts';
import type { Operation } from './operations.ts';
import { matchPathTemplates, pathAlone } from './path-template.ts';

/** The operation that an exchange used; undefined: the document has none for its verb and path. */
export function operationOf(
  facts: Pick<ExchangeFacts, 'method' | 'path'>,
  operations: readonly Operation[],
): Operation | undefined {
  return operationsFor(facts, operations)[0]?.operation;
}

/**
 * The operation that an exchange used, with the parts of it that do not fit; undefined: the document has none for its
 * verb and path. Of several that it may have used it is the one that the request fits best, and then the answer.
 */
export function heldToDocument(
  exchange: ExchangeFacts,
  operations: readonly Operation[],
  document: JsonObject,
): { readonly operation: Operation; readonly problems: readonly string[] } | undefined {
  const [best] = operationsFor(exchange, operations)
    .map(({ operation, path }) => {
      const asked = exchangeRequestProblems({ ...exchange, path }, operation, document);
      return { operation, asked, answered: exchangeAnswerProblems(exchange, operation, document) };
    })
    .toSorted((a, b) => a.asked.length - b.asked.length || a.answered.length - b.answered.length);
  return best && { operation: best.operation, problems: [...best.asked, ...best.answered] };
}

/** An operation that takes a path, with the path below the server that it names. */
interface Taken {
  readonly operation: Operation;
  readonly path: string;
}

/**
 * Several where the document tells operations of one path apart by a query or a fragment behind it, as many do, and
 * where it leaves open which of them a path means: `/{kind}/me` and `/books/{id}`.
 */
function operationsFor(
  { method, path: whole }: Pick<ExchangeFacts, 'method' | 'path'>,
  operations: readonly Operation[],
): readonly Taken[] {
  const verb = method.toLowerCase();
  const ofVerb = operations
    .filter((operation) => operation.method === verb)
    .map((operation) => ({ operation, paths: pathsBelow(whole, operation.bases) }));
  for (const path of new Set(ofVerb.flatMap(({ paths }) => paths))) {
    const below = ofVerb.filter(({ paths }) => paths.includes(path)).map(({ operation }) => operation);
    const templates = matchPathTemplates(
      path,
      below.map((operation) => pathAlone(operation.path)),
    );
    const found = below.filter((operation) => templates.includes(pathAlone(operation.path)));
    if (found.length > 0) return found.map((operation) => ({ operation, path }));
  }
  return [];
}

/** Parts of a request that do not fit its operation: parameters and body, and headers where they are known. */
export function exchangeRequestProblems(
  request: RequestFacts,
  operation: Operation,
  document: JsonObject,
): readonly string[] {
  return [...parameterProblems(request, operation, document), ...requestProblems(request, operation, document)];
}

function requestProblems(exchange: RequestFacts, { body }: Operation, document: JsonObject): readonly string[] {
  const { requestBody: sent } = exchange;
  if (!sent) return body?.required === true ? ['the declared request body was not sent'] : [];
  if (!body || body.media.length === 0) return ['a request body was sent, and none is declared'];
  return bodyProblems(sent, body.media, document, 'request');
}
