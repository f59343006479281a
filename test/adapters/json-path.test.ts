import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import type { JsonPath } from '#runtime/adapters/json-path/port.ts';
import { provider } from '#runtime/adapters/json-path/provider.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';
import { makeRegex } from '#runtime/kernel/values/regex.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';

import { root } from '../built.ts';

/** A case of the published suite: what the selector gives, or, where its order is free, all that it may give. */
interface PublishedCase {
  readonly name: string;
  readonly selector: string;
  readonly document?: Json;
  readonly result?: readonly Json[];
  readonly results?: readonly (readonly Json[])[];
  readonly invalid_selector?: true;
}

/** The suite of RFC 9535, which this package carries along. */
const suite = `${root}/node_modules/jsonpath-rfc9535/src/__tests__/jsonpath-compliance-test-suite/cts.json`;

test('the published cases of JSONPath: no wrong answer', async () => {
  const port = await provider.open({
    port: async () => makeRegex(nodeHost()),
  } as unknown as PortContext);
  const { tests } = JSON.parse(readFileSync(suite, 'utf8')) as { readonly tests: readonly PublishedCase[] };
  const wrong = tests.filter((each) => !isRight(port, each)).map(({ name, selector }) => `${name}: ${selector}`);
  expect(tests.length).toBeGreaterThan(680);
  expect(wrong).toEqual([]);
});

function isRight(
  port: JsonPath,
  { selector, document = null, result, results, invalid_selector }: PublishedCase,
): boolean {
  const found = answerOf(port, selector, document);
  if (invalid_selector) return found === 'refused';
  const allowed = results ?? [result ?? []];
  return allowed.some((each) => JSON.stringify(each) === JSON.stringify(found));
}

function answerOf(port: JsonPath, selector: string, document: Json): readonly Json[] | 'refused' {
  try {
    return port.find(selector, document).map(({ value }) => value);
  } catch (error) {
    if (error instanceof Failure && error.facts.code === 'SVC83057') return 'refused';
    throw error;
  }
}
