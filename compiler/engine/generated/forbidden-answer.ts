import { exchangeAnswerProblems } from '#grammar/openapi/check-answer.ts';
import { operationOf } from '#grammar/openapi/check-exchange.ts';
import { exchangeFacts, type SeenExchange } from '#grammar/openapi/exchange-facts.ts';
import { answerFor, type Operation } from '#grammar/openapi/operations.ts';
import type { JsonObject } from '#schemas/types/json.ts';

/** An answer that its document forbids. */
export interface ForbiddenAnswer {
  readonly message: string;
  /** Part of the answer that is wrong, without its value. */
  readonly place: string;
  readonly status: number;
}

/**
 * The first of some answers that a document forbids. A refusal that it does not declare is none: few documents declare
 * all of them.
 */
export function forbiddenAnswer(
  seen: readonly SeenExchange[],
  { document, operations, basePath }: HeldTo,
): ForbiddenAnswer | undefined {
  for (const exchange of seen) {
    const facts = exchangeFacts(exchange, basePath);
    const operation = facts && operationOf(facts, operations);
    if (!facts || !operation || (facts.status >= 400 && !answerFor(operation, facts.status))) continue;
    const [problem] = exchangeAnswerProblems(facts, operation, document);
    if (problem === undefined) continue;
    const { method, path, status } = facts;
    return {
      message: `the document forbids the answer of ${method} ${path} -> ${status}: ${problem}`,
      place: /^[^"]*/.exec(problem)?.[0] ?? problem,
      status,
    };
  }
  return undefined;
}

export interface HeldTo {
  readonly document: JsonObject;
  readonly operations: readonly Operation[];
  /** Path of the server, which requests begin with. */
  readonly basePath: string;
}
