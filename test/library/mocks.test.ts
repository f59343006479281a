import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as svc from '#compiler/library/api.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mocks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const free = { port: 0 };
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an HTTP mock of a program', () => {
  it('answers by the first rule that fits, and by functions', async () => {
    const seen = await svc.http_mock_server(async (mock) => {
      await mock.add_dynamic_route(
        '/orders',
        [
          {
            predicate: svc.json_match('user.name', 'ada'),
            responder: svc.static_response({ ok: true }, { status: 201, headers: { 'x-a': '1' } }),
          },
          { predicate: svc.json_match('[', 1), responder: svc.static_response('never') },
          { predicate: ({ headers }) => headers['x-b'] === '2', responder: ({ path }) => `at ${path}` },
        ],
        ['POST'],
      );
      await mock.add_route('/n/<int:n>', ({ params }, { state }) => {
        state.set('n', params['n'] ?? null);
        return { body: state.snapshot(), status: 202 };
      });
      const post = async (body: string, headers: Record<string, string> = {}): Promise<readonly [number, string]> => {
        const answer = await fetch(`${mock.url}/orders`, { method: 'POST', body, headers });
        return [answer.status, await answer.text()];
      };
      expect(await post('{"user":{"name":"ada"}}')).toEqual([201, '{"ok":true}']);
      expect(await post('no json', { 'x-b': '2' })).toEqual([200, 'at /orders']);
      expect(await post('{"user":{}}')).toEqual([404, 'no matching dynamic rule']);
      expect(await (await fetch(`${mock.url}/n/7`)).json()).toEqual({ n: '7' });
      expect(new URL(mock.url).port).toBe(String(mock.port));
      return await mock.received();
    });
    expect(seen.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'POST 201',
      'POST 200',
      'POST 404',
      'GET 202',
    ]);
  });

  it('takes a configuration, with what it names beside it and the mocks of other protocols', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: {
        '/pets': {
          get: { responses: { 200: { description: '', content: { 'application/json': { example: ['cat'] } } } } },
        },
      },
    };
    writeFileSync(join(folder, 'pets.json'), JSON.stringify(document));
    const path = join(folder, 'mock.json');
    const config = {
      http: { routes: [{ rule: '/ping', body: { up: true } }], openapi: 'pets.json' },
      websocket: { port: 0, routes: { '/chat': { greeting: 'hello' } } },
      grpc: { port: 0, methods: { '/a.B/C': { response: 'x' } } },
    };
    writeFileSync(path, JSON.stringify(config));
    expect(await svc.read_mock_config(path)).toEqual(config);
    await svc.http_mock_server(async (mock) => {
      const { websocket = '', grpc } = await svc.apply_mock_config(config, mock, { base_dir: folder });
      expect(await (await fetch(`${mock.url}/ping`)).json()).toEqual({ up: true });
      expect(await (await fetch(`${mock.url}/pets`)).json()).toEqual(['cat']);
      const said = await svc.test_api_method_websocket_async(`${websocket}/chat`, { messages: [] });
      expect(said.messages_received).toEqual(['hello']);
      expect(grpc).toMatch(/^127\.0\.0\.1:\d+$/);
      const wrong = await refusal(svc.apply_mock_config({ http: { routes: [{ body: 1 }] } }, mock));
      expect(wrong).toMatchObject({ name: 'MockServerException' });
      const half = { http: { routes: [{ rule: '/late', body: 1 }] }, websocket: { routs: {} } };
      expect(await refusal(svc.apply_mock_config(half, mock))).toMatchObject({ name: 'MockServerException' });
      expect((await fetch(`${mock.url}/late`)).status).toBe(404);
    });
    expect(await refusal(svc.read_mock_config(join(folder, 'none.json')))).toMatchObject({
      name: 'MockServerException',
    });
  });
});

describe('an HTTP mock and its program', () => {
  it('share state, webhooks and faults', async () => {
    await svc.http_mock_server(async (mock) => {
      await svc.apply_mock_config({ http: { webhooks: ['/hook'] } }, mock);
      await mock.add_route('/count', (_, { state }) => {
        state.set('n', Number(state.get('n', 0)) + 1);
        return 'ok';
      });
      await svc.mock_state_set(mock, 'n', 5);
      await Promise.all(Array.from({ length: 20 }, () => fetch(`${mock.url}/count`)));
      expect(await svc.mock_state_get(mock, 'n')).toBe(25);
      await svc.mock_state_set(mock, 'none', null);
      expect(await svc.mock_state_get(mock, 'none', { default: 1 })).toBeNull();
      expect(await svc.mock_state_get(mock, 'other', { default: 1 })).toBe(1);
      await svc.mock_state_delete(mock, 'none');
      expect(await svc.mock_state_snapshot(mock)).toEqual({ n: 25 });
      await svc.mock_state_clear(mock);
      expect(await svc.mock_state_snapshot(mock)).toEqual({});

      expect(await svc.webhook_latest(mock)).toBeNull();
      for (const n of [1, 2]) await fetch(`${mock.url}/hook`, { method: 'POST', body: `{"n":${n}}` });
      expect(await svc.webhook_latest(mock)).toMatchObject({ json: { n: 2 } });
      expect(await svc.webhook_all(mock)).toHaveLength(2);
      await svc.webhook_clear(mock);
      expect(await svc.webhook_all(mock)).toEqual([]);

      await svc.fault_injector_configure(mock, { failure_probability: 1, failure_status: 503 });
      await svc.fault_injector_configure(mock, { latency_seconds: -1, failure_probability: undefined as never });
      const failed = await fetch(`${mock.url}/count`);
      expect([failed.status, await failed.text()]).toEqual([503, 'injected failure']);
      await expect(svc.fault_injector_configure(mock, { failure_probability: 2 })).rejects.toThrow(RangeError);
    });
  });

  it('take faults from a configuration, and keep the fields of forms in their order', async () => {
    await svc.http_mock_server(async (mock) => {
      const faults = { failure_probability: 1, failure_status: 503, failure_body: 'out of order' };
      await svc.apply_mock_config({ http: { webhooks: ['/hook'] } }, mock);
      await fetch(`${mock.url}/hook`, { method: 'POST', body: new URLSearchParams('b=1&a=2&b=3') });
      const [received] = await mock.received();
      expect(Object.entries(received?.form ?? {})).toEqual([
        ['b', '1'],
        ['a', '2'],
      ]);
      await svc.apply_mock_config({ http: { faults } }, mock);
      const answer = await fetch(`${mock.url}/hook`, { method: 'POST' });
      expect([answer.status, await answer.text()]).toEqual([503, 'out of order']);
    });
  });

  it('say what is wrong with a route and an answer', async () => {
    await svc.http_mock_server(async (mock) => {
      expect(await refusal(mock.add_route('orders', () => 1))).toMatchObject({ name: 'MockServerException' });
      await mock.add_route('/circle', () => {
        const circle: Record<string, unknown> = {};
        circle['self'] = circle;
        return circle;
      });
      expect((await fetch(`${mock.url}/circle`)).status).toBe(500);
      expect((await mock.received())[0]?.error).toMatch(/^TypeError: Converting circular/);
    });
  });

  it('take a configuration whole or not at all, and stop what it started', async () => {
    await svc.http_mock_server(async (mock) => {
      const taken = { port: mock.port, methods: { '/a.B/C': { response: 1 } } };
      const config = { http: { routes: [{ rule: '/half', body: 1 }] }, websocket: { port: 0 }, grpc: taken };
      expect(await refusal(svc.apply_mock_config(config, mock))).toMatchObject({ name: 'MockServerException' });
      expect((await fetch(`${mock.url}/half`)).status).toBe(404);
      const { websocket = '' } = await svc.apply_mock_config({ websocket: { port: 0 } }, mock);
      expect(await refusal(svc.apply_mock_config({ websocket: { port: 0 } }, mock))).toBeInstanceOf(svc.Failure);
      expect(
        (await svc.test_api_method_websocket_async(`${websocket}/`, { messages: ['x'] })).messages_received,
      ).toEqual(['x']);
      await svc.stop_protocol_mocks(mock);
      await svc.stop_protocol_mocks(mock);
      expect(await refusal(svc.test_api_method_websocket_async(`${websocket}/`))).toBeInstanceOf(svc.Failure);
    });
    expect(await svc.is_grpc_available()).toBe(true);
  });

  it('end together: nothing is opened behind the scope', async () => {
    const mocks: (svc.HttpMockServer | svc.WebSocketMockServer | svc.GrpcMockServer)[] = [];
    await svc.http_mock_server((mock) => void mocks.push(mock));
    await svc.websocket_mock_server((mock) => void mocks.push(mock), free);
    await svc.grpc_mock_server((mock) => void mocks.push(mock), free);
    for (const mock of mocks) {
      const late = mock instanceof svc.HttpMockServer ? mock.received() : mock.start();
      expect(await refusal(late)).toMatchObject({ name: 'run-stopped' });
      if (!(mock instanceof svc.HttpMockServer)) expect(await refusal(mock.stop())).toBeInstanceOf(svc.Failure);
    }
  });
});

describe('mocks of other protocols of a program', () => {
  it('WebSocket: several run at once, handlers answer in order, later routes count, and it starts again', async () => {
    const received = await svc.websocket_mock_server(async (first) => {
      await svc.websocket_mock_server(async (second) => {
        expect(second.url).not.toBe(first.url);
        second.add_route('/slow', {
          handler: async (message) => {
            if (message === 'one') await new Promise((resolve) => setTimeout(resolve, 20));
            return message === 'none' ? null : [`<${message}>`, '.'];
          },
        });
        second.add_route('/bad', {
          handler: () => {
            throw new Error('no');
          },
        });
        const sent = { messages: ['one', 'none', 'two'], expected_replies: 4 };
        const said = await svc.test_api_method_websocket_async(`${second.url}/slow`, sent);
        expect(said.messages_received).toEqual(['<one>', '.', '<two>', '.']);
        const bad = svc.test_api_method_websocket_async(`${second.url}/bad`, { messages: ['x'] });
        expect(await refusal(bad)).toBeInstanceOf(svc.Failure);
        await second.stop();
        await second.start();
        expect(await second.received('/slow')).toEqual([]);
      }, free);
      expect(() => first.add_route('echo')).toThrow(RangeError);
      first.add_route('/echo');
      await svc.test_api_method_websocket_async(`${first.url}/echo`, { messages: ['hi'] });
      return await first.received('/echo');
    }, free);
    expect(received).toEqual(['hi']);
  });

  it('gRPC: functions from bytes to bytes, fixed answers and errors', async () => {
    await svc.grpc_mock_server(async (mock) => {
      await mock.register('/a.B/Upper', (bytes) => Buffer.from(Buffer.from(bytes).toString().toUpperCase()));
      await mock.register_server_stream('/a.B/Letters', async function* (bytes) {
        for (const letter of Buffer.from(bytes).toString()) yield Buffer.from(letter);
      } as (bytes: Uint8Array) => AsyncIterable<Uint8Array>);
      await mock.add_unary_response('/a.B/Fixed', { id: 1 });
      await mock.add_stream_responses('/a.B/Many', ['x', 'y']);
      await mock.add_error('/a.B/Gone', 'NOT_FOUND', 'no such thing');
      await mock.register('/a.B/Bad', () => {
        throw new Error('broken');
      });
      const asked = async (
        name: string,
        messages: string[] = ['ab'],
        expected_code: string | null = 'OK',
      ): Promise<unknown> => {
        const answer = await svc.call('AT_test_api_method_grpc', {
          address: mock.address,
          method: `/a.B/${name}`,
          messages,
          expected_code,
        });
        return answer.code === 'OK' ? answer.messages : `${answer.code} ${answer.details}`;
      };
      expect(await asked('Upper', ['ab', 'c'])).toEqual(['AB', 'C']);
      expect(await asked('Letters')).toEqual(['a', 'b']);
      expect(await asked('Fixed')).toEqual(['{"id":1}']);
      expect(await asked('Many')).toEqual(['x', 'y']);
      expect(await asked('Gone', ['x'], null)).toBe('NOT_FOUND no such thing');
      expect(await asked('Bad', ['x'], null)).toBe('UNKNOWN broken');
      await mock.add_unary_response('/a.B/Upper', 'now fixed');
      expect(await asked('Upper')).toEqual(['now fixed']);
      expect((await mock.received('/a.B/Upper')).map(String)).toHaveLength(3);
      expect(await refusal(mock.add_error('/a.B/Gone', 'NO_CODE'))).toMatchObject({ name: 'MockServerException' });
      expect(await refusal(mock.add_unary_response('Upper', 1))).toBeInstanceOf(RangeError);
    }, free);
  });
});
