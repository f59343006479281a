import { exchangeRequestProblems, operationOf } from '#grammar/openapi/check-exchange.ts';
import type { TestCase } from '#grammar/openapi/generate/test-case.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import type { HeldTo } from './forbidden-answer.ts';

/**
 * Faults that the document finds in the last request of a test, as one text. A smaller test must have the same faults:
 * without a required field it would fail for another reason than the one that it is named after.
 */
export function requestFaults({ steps }: TestCase, { document, operations }: HeldTo): string {
  const { http_method: method, test_url: url, params, headers, cookies, json } = steps.at(-1)?.params ?? {};
  const path = String(url).replace('{{base_url}}', '');
  const facts = { method: String(method).toUpperCase(), path };
  const operation = operationOf(facts, operations);
  if (!operation) return '';
  const cookie = pairs(cookies).map(([name, value]) => `${name}=${value}`);
  const sent = Object.fromEntries(pairs(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const type = sent['content-type'] ?? 'application/json';
  const request = {
    ...facts,
    query: pairs(params),
    headers: { ...sent, ...(cookie.length > 0 ? { cookie: cookie.join('; ') } : {}) },
    ...(json === undefined ? {} : { requestBody: { type, json } }),
  };
  return exchangeRequestProblems(request, operation, document).join('\n');
}

/** Names with their values as texts; each value of a list by itself. */
function pairs(values: Json | undefined): [string, string][] {
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly Json[]) : [value ?? null]).map((one): [string, string] => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]),
  );
}
