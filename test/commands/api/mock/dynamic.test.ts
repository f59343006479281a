import { describe, expect, test } from 'vitest';

import { failureOf, session } from '../../call.ts';
import { place, post, received } from './mock-server.ts';

const at = place();

describe('dynamic routes, handlers, webhooks', () => {
  test('the first rule that fits answers', async () => {
    await using mock = await at.start({}, { variables: { bad: '0000' } });
    const rules = [
      { when: { field_path: 'card.number', expected: '{{bad}}' }, status: 402, body: { error: 'declined' } },
      { when: { field_path: 'items[0]', expected: { id: 1 } }, body: 'one', headers: { 'x-rule': '2' } },
      { when: { field_path: 'amount', expected: 5 }, body: { paid: '{{request.json.amount}}' } },
    ];
    await mock.unit.call('AT_mock_add_dynamic_route', { rule: '/pay', methods: ['POST'], rules });
    const ask = async (body: unknown): Promise<[number, string]> => {
      const answer = await post(`${mock.url}/pay`, body);
      return [answer.status, await answer.text()];
    };
    expect(await ask({ card: { number: '0000' } })).toEqual([402, '{"error":"declined"}']);
    expect(await ask({ items: [{ id: 1 }] })).toEqual([200, 'one']);
    expect(await ask({ amount: 5 })).toEqual([200, '{"paid":5}']);
    expect(await ask({ amount: '5' })).toEqual([404, 'no matching dynamic rule']);
    expect(await ask([])).toEqual([404, 'no matching dynamic rule']);
  });

  test('rules answer so often as they say, late, broken, and by any part of the request', async () => {
    await using mock = await at.start();
    await mock.unit.call('AT_mock_add_dynamic_route', {
      rule: '/jobs/<id>',
      rules: [
        { times: 2, status: 503, delay_seconds: 0.01 },
        { times: 1, fault: 'reset' },
        { when: { in: 'query', field_path: 'full', expected: '1' }, body: 'all' },
        { when: { in: 'headers', field_path: 'X-Tenant', expected: 'a' }, body: 'a' },
        { when: { in: 'path', field_path: 'id', expected: '9' }, body: 'nine' },
      ],
    });
    const get = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
      const answer = await fetch(`${mock.url}${path}`, { headers });
      return `${answer.status} ${await answer.text()}`.trim();
    };
    expect([await get('/jobs/1'), await get('/jobs/1')]).toEqual(['503', '503']);
    await expect(get('/jobs/1')).rejects.toThrow();
    expect(await get('/jobs/1?full=1')).toBe('200 all');
    expect(await get('/jobs/1', { 'x-tenant': 'a' })).toBe('200 a');
    expect(await get('/jobs/9')).toBe('200 nine');
    expect(await get('/jobs/7')).toBe('404 no matching dynamic rule');
  });

  test('what is expected is a template like an answer: paths into variables, and the request', async () => {
    await using mock = await at.start({}, { variables: { user: { id: 7 } } });
    const rules = [
      { when: { field_path: 'id', expected: '{{user.id}}' }, body: 'of the variable' },
      { when: { field_path: 'id', expected: '{{request.query.id}}' }, body: 'of the request' },
    ];
    await mock.unit.call('AT_mock_add_dynamic_route', { rule: '/one', methods: ['POST'], rules });
    const ask = async (id: unknown): Promise<string> => await (await post(`${mock.url}/one?id=x`, { id })).text();
    expect([await ask(7), await ask('x'), await ask('y')]).toEqual([
      'of the variable',
      'of the request',
      'no matching dynamic rule',
    ]);
  });

  test('functions of the user answer, share state, and their errors are shown', async () => {
    at.file(
      'handlers.mjs',
      `
      export const count = (request, mock) => { const n = mock.state.get('n', 0) + 1; mock.state.set('n', n); return { body: { n, id: request.params.id }, status: 201, headers: { 'x-n': String(n) } }; };
      export const plain = async (request) => request.query.q;
      export const sent = ({ form, files }) => ({ form, files });
      export const body = () => ({ body: 'x', other: 1 });
      export const fails = () => { throw new TypeError('no'); };
      export const nothing = 5;
    `,
    );
    await using mock = await at.start();
    await mock.unit.call('AT_mock_server_add_router', {
      rule_and_function_dict: {
        '/count/<id>': 'handlers.mjs#count',
        '/plain': 'handlers.mjs#plain',
        '/body': 'handlers.mjs#body',
        '/fails': 'handlers.mjs#fails',
      },
    });
    await fetch(`${mock.url}/count/1`);
    const second = await fetch(`${mock.url}/count/2`);
    expect([second.status, second.headers.get('x-n'), await second.json()]).toEqual([201, '2', { n: 2, id: '2' }]);
    expect(await (await fetch(`${mock.url}/plain?q=hi`)).text()).toBe('hi');
    expect(await (await fetch(`${mock.url}/plain?q=1&q=2`)).json()).toEqual(['1', '2']);
    expect(await (await fetch(`${mock.url}/body`)).json()).toEqual({ body: 'x', other: 1 });
    await mock.unit.call('AT_mock_add_dynamic_route', {
      rule: '/sent',
      methods: ['POST'],
      rules: [{ handler: 'handlers.mjs#sent' }],
    });
    const form = new FormData();
    form.append('name', 'Ada');
    form.append('doc', new Blob(['file text'], { type: 'text/plain' }), 'up.txt');
    expect(await (await fetch(`${mock.url}/sent`, { method: 'POST', body: form })).json()).toEqual({
      form: { name: 'Ada' },
      files: [{ field: 'doc', name: 'up.txt', type: 'text/plain', size: 9 }],
    });
    expect((await fetch(`${mock.url}/fails`)).status).toBe(500);
    expect(await received(mock.unit, { path: '/fails' })).toMatchObject([{ status: 500, error: 'TypeError: no' }]);
    await mock.unit.call('AT_mock_add_dynamic_route', {
      rule: '/d',
      rules: [{ handler: 'handlers.mjs#fails' }, { body: 'next' }],
    });
    expect(await (await fetch(`${mock.url}/d`)).text()).toBe('next');
    expect(await received(mock.unit, { path: '/d' })).toMatchObject([{ status: 200, error: 'TypeError: no' }]);
    for (const [reference, code] of [
      ['handlers.mjs', 'SVC80057'],
      ['none.mjs#a', 'SVC80052'],
      ['handlers.mjs#absent', 'SVC80054'],
      ['handlers.mjs#nothing', 'SVC80055'],
      ['../handlers.mjs#count', 'SVC80051'],
    ]) {
      expect(
        (await failureOf(mock.unit.call('AT_mock_server_add_router', { rule_and_function_dict: { '/z': reference } })))
          .facts.code,
      ).toBe(code);
    }
  });

  test('need an open gate', async () => {
    await using unit = await session({ root: at.root, settings: { gates: { packages: false } } });
    expect(
      (
        await failureOf(
          unit.call('AT_mock_server_add_router', { rule_and_function_dict: { '/z': 'handlers.mjs#plain' } }),
        )
      ).facts.code,
    ).toBe('SVC80024');
    expect(
      (
        await failureOf(
          unit.call('AT_mock_add_dynamic_route', { rule: '/d', rules: [{ handler: 'handlers.mjs#plain' }] }),
        )
      ).facts.code,
    ).toBe('SVC80024');
    await unit.call('AT_mock_add_dynamic_route', { rule: '/d', rules: [{ body: 'x' }] });
  });

  test('webhooks are kept, the newest hundred, apart from the rest', async () => {
    await using mock = await at.start({}, {}, async (unit) => {
      await unit.call('AT_mock_add_webhook');
      await unit.call('AT_mock_add_webhook', { route: '/paid' });
    });
    const answer = await fetch(`${mock.url}/paid`, {
      method: 'PUT',
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-sign': 's' },
    });
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    await fetch(mock.url);
    await post(`${mock.url}/webhook?x=1`, { event: 'paid' });
    expect(await received(mock.unit, { webhooks: true })).toMatchObject([
      {
        method: 'PUT',
        path: '/paid',
        form: { a: '1' },
        json: null,
        data: 'a=1',
        headers: { 'x-sign': 's' },
        route: '/paid',
        status: 200,
      },
      { method: 'POST', path: '/webhook', json: { event: 'paid' }, query: { x: '1' } },
    ]);
    expect(await received(mock.unit)).toHaveLength(3);
    await Promise.all(Array.from({ length: 110 }, () => post(`${mock.url}/webhook`, {})));
    expect(await received(mock.unit, { webhooks: true, path: '/webhook' })).toHaveLength(100);
    expect((await fetch(`${mock.url}/paid`)).status).toBe(405);
  });
});

test('an answer that HTTP cannot carry is a mistake that is told, not a cut connection', async () => {
  at.file('odd.mjs', 'export const early = () => ({ body: 1, status: 150 });');
  await using mock = await at.start();
  const route = { body_template: 'x', methods: ['GET'] };
  await mock.unit.call('AT_mock_add_template_route', { ...route, rule: '/value', headers: { 'x-a': 'a\nb' } });
  await mock.unit.call('AT_mock_add_template_route', { ...route, rule: '/name', headers: { 'x ä': 'a' } });
  await mock.unit.call('AT_mock_server_add_router', { rule_and_function_dict: { '/status': 'odd.mjs#early' } });
  for (const [path, reason] of [
    ['/value', 'x-a'],
    ['/name', 'x ä'],
    ['/status', '150'],
  ] as const) {
    const answer = await fetch(mock.url + path);
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining(reason)]);
    expect(await received(mock.unit, { path })).toMatchObject([
      { status: 500, error: expect.stringContaining(reason) },
    ]);
  }
});

describe('a stream of events', () => {
  test('(SSE route) goes on behind the last event that a client has, and says when nothing follows', async () => {
    const route = { rule: '/config', events: [{ data: 'a' }, { data: 'b', id: 'zwölf漢' }], events_per_connection: 1 };
    const config = at.file('events.json', JSON.stringify({ http: { routes: [{ ...route, retry_ms: 1 }] } }));
    await using mock = await at.start({ config });
    await mock.unit.call('AT_mock_add_event_stream', {
      rule: '/ticks/<name>',
      events: [
        { data: 'for {{request.path.name}}' },
        { data: { n: 2 }, event: 'tick' },
        { data: 'two\nlines', id: '' },
        { data: 'end', id: 'last' },
      ],
      events_per_connection: 2,
      retry_ms: 1,
      interval_seconds: 0.01,
    });
    const listen = { url: `${mock.url}/ticks/ada`, max_events: 9, reconnect: 5 };
    const { events } = (await mock.unit.call('AT_test_api_method_sse', listen)) as { events: unknown };
    expect(events).toEqual([
      { data: 'for ada', id: '1' },
      { data: '{"n":2}', event: 'tick', id: '2' },
      expect.objectContaining({ data: 'two\nlines' }),
      { data: 'end', id: 'last' },
    ]);
    const asked = await received(mock.unit, { path: '/ticks/ada' });
    expect(asked.map(({ headers }) => (headers as Record<string, string>)['last-event-id'])).toEqual([
      undefined,
      '2',
      'last',
    ]);
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 204]);
    const read = { url: `${mock.url}/config`, max_events: 9, reconnect: 5 };
    expect(await mock.unit.call('AT_test_api_method_sse', read)).toMatchObject({
      events: [
        { data: 'a', id: '1' },
        { data: 'b', id: 'zwölf漢' },
      ],
    });
    const first = await fetch(`${mock.url}/ticks/bob`);
    expect(first.headers.get('content-type')).toBe('text/event-stream');
    expect(await first.text()).toBe('retry: 1\nid: 1\ndata: for bob\n\nevent: tick\nid: 2\ndata: {"n":2}\n\n');
  });

  test('ends with its mock, also in the middle of a pause', async () => {
    const unit = await session();
    await unit.call('AT_mock_add_event_stream', {
      rule: '/slow',
      events: [{ data: 'a' }, { data: 'b', delay_seconds: 60 }],
    });
    const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
    const answer = await fetch(`${url}/slow`);
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('id: 1\ndata: a\n\n');
    await unit.end();
    await expect(reader?.read()).rejects.toThrow();
  });
});
