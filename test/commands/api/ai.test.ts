import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { textOfPattern } from '#grammar/openapi/pattern/text-of-pattern.ts';

import type { Host } from '#schemas/types/host.ts';

import { failureOf, session } from '../call.ts';
import type { Session } from '../call.ts';

/** A server of the chat-completions form that answers as the test says. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    asked.push({ headers: request.headers, body });
    answer(request, response);
  });
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
});

function says(content: string, more: Record<string, unknown> = {}, status = 200): typeof answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop', ...more }] }),
    );
  };
}

function status(code: number, body = '{"error": {"message": "no such model"}}'): typeof answer {
  return (_request, response) => void response.writeHead(code, { 'content-type': 'application/json' }).end(body);
}

function host(env: Record<string, string>): { readonly host: Host } {
  return { host: nodeHost({ cwd: process.cwd(), env: { ...process.env, ...env } }) };
}

async function unit(env: Record<string, string> = {}): Promise<Session> {
  return await session(host({ SVC_AI_URL: url, SVC_AI_BACKEND: 'provider', SVC_AI_MODEL: 'small-1', ...env }));
}

const open = {
  error_records: [
    [{}, 'the widget is on fire'],
    [{}, 'status 503'],
  ],
};
const spec = {
  spec: { openapi: '3.1.0', paths: { '/jobs': { get: { responses: { '204': {} } } } } },
};

describe('the backend', () => {
  test('is asked with the model, the key and the material; its answer is used', async () => {
    await using one = await unit({ SVC_AI_API_KEY: 'k-123456789', SVC_AI_EFFORT: 'low' });
    answer = says('```json\n["validation"]\n```');
    expect(await one.call('AT_classify_failures', open)).toEqual({ validation: 1, server: 1 });
    const [{ headers, body } = { headers: {}, body: '' }] = asked;
    expect(headers.authorization).toBe('Bearer k-123456789');
    expect(JSON.parse(body)).toMatchObject({
      model: 'small-1',
      reasoning_effort: 'low',
      messages: [{ role: 'system' }, { role: 'user', content: '["the widget is on fire"]' }],
    });
    expect(body).not.toContain('k-123456789');
  });

  test('is not asked about statuses, which say of what kind a failure is', async () => {
    await using off = await session(host({ SVC_AI_URL: url }));
    const error_records = [401, 403, 400, 499, 500, 599].map((status_code) => [{ status_code }, 'no']);
    expect(await off.call('AT_classify_failures', { error_records })).toEqual({ auth: 2, validation: 2, server: 2 });
  });

  test('is not asked where nothing chose it, and where the rules know the answer', async () => {
    await using off = await session(host({ SVC_AI_URL: url }));
    expect(await off.call('AT_classify_failures', open)).toEqual({ server: 1, other: 1 });
    await using on = await unit();
    expect(await on.call('AT_classify_failures', { error_records: [[{}, 'status 503']] })).toEqual({ server: 1 });
    expect(asked).toEqual([]);
  });

  test('can be chosen and put off again by a step', async () => {
    await using one = await session(host({ SVC_AI_URL: url }));
    answer = says('["auth"]');
    expect(await one.call('AT_select_ai_backend', { name: 'provider' })).toBe('ProviderBackend');
    expect(await one.call('AT_classify_failures', open)).toEqual({ auth: 1, server: 1 });
    expect(await one.call('AT_select_ai_backend')).toBe('NoopBackend');
    expect(await one.call('AT_classify_failures', open)).toEqual({ server: 1, other: 1 });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['a refusal', says('', { message: { content: null, refusal: 'I will not.' } })],
    ['a filtered answer', says('["auth"]', { finish_reason: 'content_filter' })],
    ['an answer that was cut', says('["auth"]', { finish_reason: 'length' })],
    ['a rate limit', status(429)],
    ['a broken server', status(500)],
    ['an empty answer', says('   ')],
    ['no JSON', status(200, '<html>')],
    ['JSON of another form', status(200, '{"choices": "none"}')],
    ['nonsense', says('Sure! Here is your list.')],
    ['a list of other words', says('["weather"]')],
    ['a list that is too long', says('["auth", "auth"]')],
    ['a connection that is cut', (_: IncomingMessage, response: ServerResponse) => void response.destroy()],
  ])('%s leads to the result without it, which is told', async (_name, how) => {
    await using one = await unit();
    answer = how;
    expect(await one.call('AT_classify_failures', open)).toEqual({ server: 1, other: 1 });
    expect(await one.call('AT_generate_tests_from_openapi', spec)).toEqual([
      ['AT_test_api_method', { http_method: 'get', test_url: '/jobs', result_check_dict: { status_code: 204 } }],
    ]);
    expect(asked).toHaveLength(2);
    expect(one.events.filter(({ kind }) => kind === 'notice')).toMatchObject([
      { level: 'warning', text: expect.stringContaining('the result was made without it') as string },
    ]);
  });

  test.each([400, 401, 403, 404])('status %s fails: it would come again', async (code) => {
    await using one = await unit({ SVC_AI_API_KEY: 'k-123456789' });
    answer = status(code);
    const failure = await failureOf(one.call('AT_generate_tests_from_openapi', spec));
    expect([failure.facts.name, failure.message]).toEqual([
      'APIAIBackendException',
      `The AI backend has rejected the request with status ${code}: no such model`,
    ]);
  });

  test('that takes too long leads to the result without it', async () => {
    await using one = await session({
      ...host({ SVC_AI_URL: url, SVC_AI_BACKEND: 'provider' }),
      settings: { gates: {}, limits: { ai_ms: 50 } },
    });
    answer = () => undefined;
    expect(await one.call('AT_classify_failures', open)).toEqual({ server: 1, other: 1 });
  });

  test('that is longer than the configuration allows leads to the result without it', async () => {
    const given = host({ SVC_AI_URL: url, SVC_AI_BACKEND: 'provider' });
    answer = says('["auth"]');
    for (const [most, result] of [
      [8, { auth: 1, server: 1 }],
      [7, { server: 1, other: 1 }],
    ] as const) {
      await using one = await session({ ...given, settings: { gates: {}, limits: { ai_answer_characters: most } } });
      expect(await one.call('AT_classify_failures', open)).toEqual(result);
    }
  });

  test.each([
    [{ SVC_AI_BACKEND: 'oracle' }, 'there is no backend "oracle"'],
    [{ SVC_AI_BACKEND: 'provider', SVC_AI_EFFORT: 'huge' }, 'SVC_AI_EFFORT is "huge"'],
    [{ SVC_AI_BACKEND: 'provider' }, 'SVC_AI_URL is not set'],
    [{ SVC_AI_BACKEND: 'provider', SVC_AI_URL: 'ftp://x' }, 'no http or https address'],
  ])('%j of the environment is a mistake that is told', async (env, words) => {
    await using one = await session(host(env));
    const failure = await failureOf(one.call('AT_classify_failures', open));
    expect([failure.facts.name, failure.message]).toEqual(['APIAIBackendException', expect.stringContaining(words)]);
  });
});

describe('tests that a model writes', () => {
  const action = ['AT_test_api_method', { http_method: 'get', test_url: 'http://127.0.0.1/jobs' }];

  test('are used when they only request and assert', async () => {
    await using one = await unit();
    answer = says(JSON.stringify([action, ['AT_assert_sla', { sla: { max_ms: 5 } }]]));
    expect(await one.call('AT_generate_tests_from_openapi', spec)).toEqual([
      action,
      ['AT_assert_sla', { sla: { max_ms: 5 } }],
    ]);
  });

  test('may have addresses without a host, as the document has', async () => {
    await using one = await unit();
    const actions = [
      ['AT_test_api_method', { http_method: 'post', test_url: '/jobs', json: { n: 1 } }],
      ['AT_extract_and_store', { path: 'json.id', name: 'job' }],
      ['AT_test_api_method', { http_method: 'get', test_url: '/jobs/{{job}}' }],
    ];
    answer = says(JSON.stringify(actions));
    expect(await one.call('AT_generate_tests_from_openapi', spec)).toEqual(actions);
  });

  test.each([
    [['FA_delete_file', { file_path: 'x' }]],
    [['AT_add_package_to_executor', { package: 'os' }]],
    [['AT_test_api_method']],
    ['AT_test_api_method'],
    [['AT_assert_snapshot', { name: 'x', payload: 1 }]],
    [['AT_assert_status', { status: 200 }]],
    [['AT_assert_sla', { limit: { max_ms: 5 } }]],
    [['AT_test_api_method', { http_method: 'fetch', test_url: 'http://127.0.0.1/' }]],
    [['AT_test_api_method', { http_method: 'post', test_url: 'http://127.0.0.1/', body_file: '/etc/passwd' }]],
  ])('are thrown away with %j among them', async (other) => {
    await using one = await unit();
    answer = says(JSON.stringify([action, other]));
    expect(await one.call('AT_generate_tests_from_openapi', spec)).toHaveLength(1);
    expect(JSON.stringify(await one.call('AT_generate_tests_from_openapi', spec))).not.toContain('127.0.0.1');
  });
});

describe('fake payloads', () => {
  test('of a model are used when they satisfy the schema', async () => {
    await using one = await unit();
    const schema = { type: 'integer', minimum: 5 };
    answer = says('7');
    expect(await one.call('AT_generate_fake_payload', { schema })).toBe(7);
    answer = says('3');
    expect(await one.call('AT_generate_fake_payload', { schema })).toBe(5);
  });

  test.each([
    [{ const: 3 }, 3],
    [{ enum: ['b', 'a'] }, 'b'],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 0.5 }, 0.25],
    [{ type: 'integer', maximum: -4 }, -4],
    [{ type: 'number', multipleOf: 0.01, minimum: 2.005 }, 2.01],
    [{ type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }, [1, 2, 3]],
    [{ type: ['null', 'boolean'] }, true],
    [
      {
        allOf: [
          { required: ['a'], properties: { a: { const: 1 } } },
          { required: ['b'], properties: { b: { const: 2 } } },
        ],
      },
      { a: 1, b: 2 },
    ],
    [
      { $ref: '#/$defs/x', $defs: { x: { type: 'object', required: ['k'], properties: { k: { default: 4 } } } } },
      { k: 4 },
    ],
    [{ prefixItems: [{ const: 1 }, { const: 'two' }], items: false, type: 'array' }, [1, 'two']],
    [true, null],
  ])('of %j', async (schema, value) => {
    await using one = await session();
    expect(await one.call('AT_generate_fake_payload', { schema })).toEqual(value);
  });

  test('satisfy formats, patterns, bounds and schemas that hold themselves', async () => {
    await using one = await session();
    const tree = {
      type: 'object',
      required: ['id', 'kids'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        mail: { type: 'string', format: 'email' },
        when: { type: 'string', format: 'date-time' },
        code: { type: 'string', pattern: '^[A-F]{2}-\\d{3,}$', minLength: 8 },
        either: { oneOf: [{ type: 'integer' }, { type: 'string', minLength: 30 }] },
        kids: { type: 'array', items: { $ref: '#' } },
      },
      minProperties: 2,
    };
    await one.call('AT_generate_fake_payload', { schema: tree });
  });
});

test.each([
  '^[a-z]+$',
  '^(?:red|green)-\\d{2}$',
  '^[^a-z]{3}$',
  '^\\w+@\\w+\\.test$',
  '^(a(b|c)?){2}$',
  '^\\u0041[\\d.-]{1,3}$',
  '^(?<year>\\d{4})-(0[1-9]|1[0-2])$',
  '^\\p{Lu}{2}$',
  '^[А-Я]+$',
])('a text is found for the pattern %s', (pattern) => {
  for (let seed = 0; seed < 1; seed += 0.07)
    expect(textOfPattern(pattern, () => seed)).toMatch(new RegExp(pattern, 'u'));
});

test.each(['(?=a)b', '(a)\\1', '[b-a]', '(', '[', '*'])('the pattern %s is not understood', (pattern) => {
  expect(textOfPattern(pattern, () => 0.5)).toBeUndefined();
});
