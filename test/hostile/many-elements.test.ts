import { describe, expect, test } from 'vitest';

import { columnTypes } from '#compiler/phases/4-resolve/outside/column-types.ts';
import { schemaFindings } from '#grammar/openapi/schema-findings.ts';
import { provider as schemas } from '#runtime/adapters/json-schema/provider.ts';
import { provider as html, type Html } from '#runtime/adapters/html/provider.ts';
import { lineChanges } from '#runtime/adapters/text-diff/line-changes.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';
import { makeRegex } from '#runtime/kernel/values/regex.ts';
import type { RowSource } from '#schemas/types/plan.ts';

import { diffJson } from '#stdlib/api/core/assert/diff-json.ts';
import { bodyMismatches } from '#stdlib/api/interfaces/contract/match.ts';
import { MatchingRules } from '#stdlib/api/interfaces/contract/rules.ts';

/** More than a call takes arguments. */
const MANY = 140_000;

const ones = Array.from({ length: MANY }, () => 1);
const texts = ones.map(String);
const context = { port: async () => makeRegex(nodeHost()) } as unknown as PortContext;

describe('as many elements as no call takes arguments', () => {
  test('differ, each at its place', () => {
    expect(diffJson({ list: ones }, { list: texts })).toHaveLength(MANY);
    const matching = { rules: new MatchingRules(), fits: () => true, isStrict: false };
    expect(bodyMismatches({ list: ones }, { list: texts }, matching)).toHaveLength(MANY);
  });

  test('fit no schema of an OpenAPI document', () => {
    const schema = { properties: { list: { type: 'array', items: { type: 'string' } } } };
    const check = { document: {}, direction: 'response' } as const;
    expect(schemaFindings({ list: ones }, schema, check)).toHaveLength(MANY);
  });

  test('stand in a JSON Schema, and do not fit one', async () => {
    const { check } = await schemas.open(context);
    expect(await check(1, { enum: ones })).toEqual([]);
    const list = { items: { type: 'string' }, unevaluatedItems: false };
    expect((await check({ list: ones }, { properties: { list } })).length).toBeGreaterThanOrEqual(MANY);
  });

  test('are children of one element of a page', () => {
    const { elements } = html.open(context) as Html;
    expect(elements(`<button><p>${'<b></b>'.repeat(MANY)}</button>`)).toHaveLength(MANY + 5);
  });

  test('are lines of which every other one has changed', () => {
    const old = ones.map((_, line) => (line % 2 === 0 ? `${line}` : 'same'));
    const now = ones.map((_, line) => (line % 2 === 0 ? `now ${line}` : 'same'));
    expect(lineChanges(old, now).length).toBeGreaterThan(0);
  });

  test('are columns of a dataset', async () => {
    const pieces = (async function* () {
      yield `${texts.map((_, at) => `c${at}`).join(',')}\n${texts.join(',')}\n`;
    })();
    const rows = { path: 'rows.csv', format: 'csv' } as unknown as RowSource;
    expect((await columnTypes(pieces, rows, false)).size).toBe(MANY);
  });
});
