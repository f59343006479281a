import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Json } from '#schemas/types/json.ts';
import { diffJson } from '#stdlib/api/core/assert/diff-json.ts';
import { percentile, responseMs } from '#stdlib/api/response-times.ts';
import { equalJson } from '#stdlib/api/equal-json.ts';

import { call, failureOf } from '../call.ts';

describe('AT_assert_sla', () => {
  test.each([
    [[{ response_time_ms: 10 }], { max_ms: 10, p95_ms: 10 }, true],
    [[{ elapsed: 0.4 }], { max_ms: 399 }, false],
    [[{ elapsed: 1500 }], { max_ms: 1500 }, true],
    [[{ elapsed_ms: '20' }, { request_time_sec: '0.03' }], { max_ms: 30 }, true],
    [[...Array.from({ length: 19 }, () => ({ elapsed_ms: 1 })), { elapsed_ms: 100 }], { max_ms: 100, p95_ms: 1 }, true],
    [
      [...Array.from({ length: 18 }, () => ({ elapsed_ms: 1 })), { elapsed_ms: 100 }, { elapsed_ms: 100 }],
      { max_ms: 100, p95_ms: 99 },
      false,
    ],
    [[{ elapsed_ms: 6000 }], null, false],
    [[{ elapsed_ms: 5000 }], {}, true],
  ])('%j within %j: %s', async (records, sla, holds) => {
    const work = call('AT_assert_sla', { records, sla });
    if (holds) await expect(work).resolves.toBeUndefined();
    else
      expect((await failureOf(work)).facts).toMatchObject({
        code: 'SVC83050',
        name: 'APIAssertException',
        kinds: ['assertion'],
      });
  });

  test('the percentile is the nearest rank', () => {
    expect([50, 95, 100, 0].map((pct) => percentile([1, 2, 3, 4, 5], pct))).toEqual([3, 5, 5, 1]);
    expect(percentile([1, 2, 3, 4], 50)).toBe(2);
    expect(responseMs({ elapsed: 'PT1S' })).toBeUndefined();
  });

  test('the message names both limits and both values', async () => {
    const error = await failureOf(
      call('AT_assert_sla', {
        records: [{ elapsed_ms: 70, method: 'GET', url: 'http://x/' }, { elapsed_ms: 10 }],
        sla: { max_ms: 50, p95_ms: 60 },
      }),
    );
    expect(error.message).toBe(
      'Response times of 2 requests are above the agreed limits: the slowest took 70 ms (max_ms 50), the 95th percentile is 70 ms (p95_ms 60).',
    );
    expect(error.options.actual).toEqual({ max_ms: 70, p95_ms: 70, slowest: 'GET http://x/' });
  });
});

describe('AT_check_json_schema', () => {
  test.each([
    ['2020-12 by default', { $defs: { id: { type: 'integer' } }, prefixItems: [{ $ref: '#/$defs/id' }] }, ['x'], 1],
    ['2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'integer' }] }, ['x'], 1],
    [
      'draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: { const: 1 } },
        properties: { a: { $ref: '#/definitions/a' } },
      },
      { a: 2 },
      1,
    ],
    ['draft-06', { $schema: 'http://json-schema.org/draft-06/schema#', contains: { const: 1 } }, [2], 2],
    [
      'all findings',
      { required: ['a', 'b'], properties: { c: { enum: [1, 2] } }, additionalProperties: false },
      { c: 3, d: 4 },
      4,
    ],
    ['formats', { format: 'email' }, 'no mail', 1],
    ['boolean schema', false, 1, 1],
    [
      'each pattern for itself',
      { properties: { a: { pattern: '^x' }, b: { pattern: '^y' } }, patternProperties: { '^c': { type: 'null' } } },
      { a: 'y', b: 'x', c1: 1, d: 1 },
      3,
    ],
  ])('%s', async (_, schema, payload, count) => {
    const error = await failureOf(call('AT_check_json_schema', { payload, schema }));
    expect(error.facts.code).toBe('SVC83054');
    expect(error.options.actual).toHaveLength(count);
    expect(error.message).toContain(`in ${count} place`);
    expect(error.message.split('\n')).toHaveLength(count + 1);
  });

  test('each finding says what is there; alternatives are one finding; a secret is not shown', async () => {
    const schema = {
      properties: {
        one: { oneOf: [{ type: 'string' }, { type: 'null' }] },
        two: { oneOf: [{ type: 'number' }, { const: 2 }] },
        any: { anyOf: [{ type: 'string' }, { properties: { x: { type: 'null' } } }] },
        types: { type: ['string', 'null'] },
        same: { uniqueItems: true },
        password: { minLength: 12 },
        deep: { items: { not: { type: 'null' } } },
      },
    };
    const payload = { one: 5, two: 2, any: { x: 1 }, types: [], same: ['a', 'a'], password: 'hunter2', deep: [null] };
    const lines = (await failureOf(call('AT_check_json_schema', { payload, schema }))).message.split('\n');
    expect(lines).toEqual([
      'The value does not satisfy the schema in 8 places:',
      '- /one must match exactly one schema in oneOf (must be string; must be null), but it is 5',
      '- /two must match exactly one schema in oneOf, not several, but it is 2',
      '- /any/x must be null, but it is 1',
      '- /any must match a schema in anyOf (must be string), but it is an object',
      '- /types must be string or null, but it is an empty list',
      '- /same must not have duplicate items (items 0 and 1 are equal)',
      '- /password must not have fewer than 12 characters',
      '- /deep/0 must not fit the schema of "not", but it is null',
    ]);
  });

  test.each([{ type: 'nonsense' }, { $async: true, type: 'integer' }, { pattern: '(' }, { minimum: 'x' }])(
    '%j is wrong itself',
    async (schema) => {
      expect((await failureOf(call('AT_check_json_schema', { payload: 'x', schema }))).facts.code).toBe('SVC83053');
    },
  );

  test('a schema with an id may be used again, and nothing is fetched', async () => {
    const schema = { $id: 'https://example.invalid/a', type: 'integer' };
    await call('AT_check_json_schema', { payload: 1, schema });
    await call('AT_check_json_schema', { payload: 2, schema });
    const error = await failureOf(
      call('AT_check_json_schema', { payload: 1, schema: { $ref: 'https://example.invalid/other' } }),
    );
    expect(error.message).toBe('The JSON Schema refers to "https://example.invalid/other", which is not inside it.');
  });

  test('a pattern that runs away ends', async () => {
    const begun = performance.now();
    expect(
      (await failureOf(call('AT_check_json_schema', { payload: `${'a'.repeat(60)}!`, schema: { pattern: '^(a+)+$' } })))
        .facts.code,
    ).toBe('SVC80030');
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});

describe('AT_check_jsonpath', () => {
  const payload = {
    items: [
      { id: 1, tags: ['a'] },
      { id: 2, tags: null },
    ],
  };
  test.each([
    ['$.items[*].id', {}, [1, 2]],
    ['$..id', { expected_in: [2, 1] }, [1, 2]],
    ['$.items[?@.id > 1].tags', { expected: null }, [null]],
    ["$.items[?match(@.tags[0], '[a-c].?')].id", { expected: 1, expected_count: 1 }, [1]],
    ['$.items[?@.id == 9]', { expected_count: 0 }, []],
    ['$.items[0]', { expected: { tags: ['a'], id: 1 } }, [{ id: 1, tags: ['a'] }]],
  ])('%s with %j', async (expression, more, values) => {
    expect(await call('AT_check_jsonpath', { payload, expression, ...more })).toEqual(values);
  });

  test.each([
    ['$.items[*].none', {}, 'SVC83058', '"$.items[*].none" matches 0 values, not 1+.'],
    ['$.items[*]', { expected_count: 3 }, 'SVC83058', '"$.items[*]" matches 2 values, not 3.'],
    [
      '$.items[*].id',
      { expected: 1 },
      'SVC83059',
      `"$.items[*].id": 1 of 2 matches is not as expected, the first at $['items'][1]['id'].`,
    ],
    [
      '$.items[*].id',
      { expected: '1' },
      'SVC83059',
      `"$.items[*].id": 2 of 2 matches are not as expected, the first at $['items'][0]['id'].`,
    ],
  ])('%s with %j fails', async (expression, more, code, message) => {
    const error = await failureOf(call('AT_check_jsonpath', { payload, expression, ...more }));
    expect([error.facts.code, error.message]).toEqual([code, message]);
  });

  test('a broken expression is said to be one; a pattern that runs away ends', async () => {
    expect((await failureOf(call('AT_check_jsonpath', { payload, expression: '$.items[' }))).facts.code).toBe(
      'SVC83057',
    );
    const begun = performance.now();
    expect(
      (
        await failureOf(
          call('AT_check_jsonpath', { payload: [{ t: `${'a'.repeat(60)}!` }], expression: "$[?match(@.t, '(a*)*b')]" }),
        )
      ).facts.code,
    ).toBe('SVC80030');
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  test('a search that matches too much, or an expression that is too large, ends with a word', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) as unknown;
    const twice = [[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]] as unknown;
    for (const [value, expression] of [
      [deep, '$..*..*..*..*..*'],
      [[deep], '$[?@..*..*..*..*..nothing]'],
      [[twice], `$[?@${'[0,0]'.repeat(21)}]`],
    ] as const) {
      const { facts } = await failureOf(call('AT_check_jsonpath', { payload: value, expression }));
      expect([expression, facts.code]).toEqual([expression, 'SVC83121']);
    }
    for (const expression of [
      `$${'..*'.repeat(10_000)}`,
      `$[?${'('.repeat(51)}@.a${')'.repeat(51)}]`,
      `$[?${'!'.repeat(501)}@.a]`,
      `$[?${'@.a||'.repeat(501)}@.a]`,
    ])
      expect((await failureOf(call('AT_check_jsonpath', { payload: [1], expression }))).facts.code).toBe('SVC83057');
    // Signs in texts do not count.
    const quoted = `$[?@ == '${'(!['.repeat(600)}' || @ == "${'(!['.repeat(600)}" || @ == 1]`;
    expect(await call('AT_check_jsonpath', { payload: [1], expression: quoted })).toEqual([1]);
  }, 60_000);

  test('a list of many values is searched', async () => {
    const many = Array.from({ length: 300_000 }, (_one, index) => index);
    expect(await call('AT_check_jsonpath', { payload: many, expression: '$[*]' })).toHaveLength(300_000);
  });
});

describe('AT_assert_snapshot', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-snapshots-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const snapshot = async (params: Record<string, unknown>, CI = ''): Promise<unknown> =>
    await call('AT_assert_snapshot', { snapshot_dir: folder, ...params }, { host: { ...nodeHost(), env: { CI } } });

  test('the first call writes, later ones compare values', async () => {
    const payload = { b: [1, { at: 'now', ü: 2 }], a: 'x' };
    await snapshot({ name: 'job/one', payload, ignore_keys: ['at'] });
    expect(readFileSync(join(folder, 'job/one.json'), 'utf8')).toBe(
      '{\n  "a": "x",\n  "b": [\n    1,\n    {\n      "ü": 2\n    }\n  ]\n}\n',
    );
    await snapshot({ name: 'job/one', payload: { a: 'x', b: [1, { ü: 2, at: 'later' }] }, ignore_keys: ['at'] });
    const error = await failureOf(snapshot({ name: 'job/one', payload: { a: 'y', b: [1], c: 0 } }));
    expect(error.message).toBe(
      `The value differs from the snapshot "${join(folder, 'job/one.json')}" in 3 places: changed "/a", removed "/b/1", added "/c".`,
    );
    expect(error.options).toMatchObject({ expected: { '/a': 'x' }, actual: { '/a': 'y', '/c': 0 } });
    await snapshot({ name: 'job/one', payload: 1, update: true });
    await snapshot({ name: 'job/one', payload: 1 }, 'true');
  });

  test('of what varies the type alone counts, or nothing at all; a value of which nothing is left fails', async () => {
    const order = (id: unknown, at: unknown): object => ({ items: [{ id, "it's": at }], at, sum: 3 });
    const masks = ['$.items[*].id', '$..["it\'s"]', '$.nowhere'];
    const given = { name: 'masked', masks, ignore_keys: ['at'] };
    await snapshot({ ...given, payload: order(7, 'now') });
    expect(JSON.parse(readFileSync(join(folder, 'masked.json'), 'utf8'))).toEqual({
      items: [{ id: '<number>', "it's": '<string>' }],
      sum: 3,
    });
    await snapshot({ ...given, payload: order(8, 'later') });
    const error = await failureOf(snapshot({ ...given, payload: order('8', null) }));
    expect(error.options.actual).toEqual({ '/items/0/id': '<string>', "/items/0/it's": '<null>' });
    await snapshot({ name: 'empty', payload: {} });
    const nothing = snapshot({ name: 'blank', payload: { a: [{ at: 1 }] }, ignore_keys: ['at'] });
    expect((await failureOf(nothing)).facts.code).toBe('SVC84203');
  });

  test('a run that updates snapshots stores what differs, on a build server too', async () => {
    const updating = { host: { ...nodeHost(), env: { CI: 'true' } }, settings: { gates: {}, update_snapshots: true } };
    for (const payload of [1, 2])
      await call('AT_assert_snapshot', { snapshot_dir: folder, name: 'updated', payload }, updating);
    expect(readFileSync(join(folder, 'updated.json'), 'utf8')).toBe('2\n');
  });

  test('a missing one is a failure on a build server, and is not written there', async () => {
    expect((await failureOf(snapshot({ name: 'new', payload: 1 }, 'true'))).facts.code).toBe('SVC83061');
    expect((await failureOf(snapshot({ name: 'new', payload: 1 }, '1'))).facts.code).toBe('SVC83061');
    await snapshot({ name: 'new', payload: 1 }, 'false');
  });

  test.each(['../out', 'a/../../out', '/etc/out', '..', 'a\\..\\..\\out', 'C:/out'])('%j is refused', async (name) => {
    expect((await failureOf(snapshot({ name, payload: 1 }))).facts.name).toBe('PathTraversalException');
  });

  test('a file that is no JSON is named', async () => {
    writeFileSync(join(folder, 'torn.json'), '{"a":');
    expect((await failureOf(snapshot({ name: 'torn', payload: 1 }))).facts.code).toBe('SVC83063');
  });

  test('a difference is found exactly where values are not equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        expect(diffJson(left as Json, right as Json).length === 0).toBe(equalJson(left as Json, right as Json));
        expect(diffJson(left as Json, structuredClone(left) as Json)).toEqual([]);
      }),
    );
  });
});
