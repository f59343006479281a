import { heldToDocument } from '#grammar/openapi/check-exchange.ts';
import type { Body } from '#grammar/openapi/body.ts';
import type { ExchangeFacts } from '#grammar/openapi/exchange.ts';
import { serverBasePath } from '#grammar/openapi/base-path.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import { stripBasePath } from '#grammar/openapi/path-template.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { contentType } from '../record-facts.ts';
import type { Contract, Interaction } from './contract-file.ts';

export interface ComparisonReport {
  readonly ok: boolean;
  readonly consumer: string;
  readonly provider: string;
  readonly checked: number;
  readonly problems: { readonly interaction: string; readonly problem: string }[];
}

/** Compares a contract with an OpenAPI document; the report lists the parts that the document does not provide. */
export function compareWithOpenApi(contract: Contract, document: JsonObject): ComparisonReport {
  const operations = operationsOf(document);
  const base = serverBasePath(document);
  const problems = contract.interactions.flatMap((interaction) => {
    const facts = factsOf(interaction, base);
    const { problems: found } = heldToDocument(facts, operations, document) ?? {
      problems: [`the document has no operation ${facts.method} ${facts.path}`],
    };
    return found.map((problem) => ({ interaction: interaction.description, problem }));
  });
  return {
    ok: contract.interactions.length > 0 && problems.length === 0,
    consumer: contract.consumer.name,
    provider: contract.provider.name,
    checked: contract.interactions.length,
    problems,
  };
}

function factsOf({ request, response }: Interaction, base: string): ExchangeFacts {
  return {
    method: request.method.toUpperCase(),
    path: stripBasePath(request.path, base),
    query: [...new URLSearchParams(request.query ?? '')],
    status: response.status,
    ...bodyOf('requestBody', request.body, request.headers),
    ...bodyOf('responseBody', response.body, response.headers),
  };
}

function bodyOf<Name extends string>(
  name: Name,
  value: Json | undefined,
  headers: Readonly<Record<string, string>> | undefined,
): { readonly [Key in Name]?: Body } {
  if (value === undefined || value === null) return {};
  const type = contentType(headers);
  const isText = typeof value === 'string' && type !== undefined && !type.includes('json');
  const body: Body = { ...(type === undefined ? {} : { type }), ...(isText ? {} : { json: value }) };
  return { [name]: body } as { readonly [Key in Name]?: Body };
}

/** The report as text: one line for each problem. */
export function comparisonText({ problems }: ComparisonReport): string {
  return problems.map(({ interaction, problem }) => `[FAIL] ${interaction}: ${problem}`).join('\n');
}
