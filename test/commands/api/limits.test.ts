import { describe, expect, test } from 'vitest';

import { failureOf, session } from '../call.ts';
import { startHttp } from './servers.ts';

describe('limits of the configuration', () => {
  test('request_log: only the latest requests are judged', async () => {
    await using server = await startHttp((_, response) => response.end());
    await using unit = await session({ settings: { gates: {}, limits: { request_log: 3 } } });
    for (const path of ['a', 'b', 'c', 'd', 'e'])
      await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${server.url}/${path}` });
    const judged = await failureOf(unit.call('AT_assert_sla', { sla: { max_ms: 0, p95_ms: 0 } }));
    expect(judged.message).toContain('of 3 requests');
  });

  test('websocket_frame_bytes: a longer message fails the step', async () => {
    await using unit = await session({ settings: { gates: {}, limits: { websocket_frame_bytes: 20 } } });
    const url = await unit.call('AT_mock_start_websocket_server', { port: 0 });
    const ask = (text: string): Promise<unknown> =>
      unit.call('AT_test_api_method_websocket', { url, messages: [text], expected_replies: 1 });
    expect(await ask('x'.repeat(20))).toMatchObject({ messages_received: ['x'.repeat(20)] });
    expect((await failureOf(ask('x'.repeat(21)))).facts.code).toBe('SVC83192');
  });

  test('mock_grpc_messages: the oldest go first', async () => {
    const methods = { '/shop.Goods/Find': { response: { id: 5 } } };
    await using unit = await session({ settings: { gates: {}, limits: { mock_grpc_messages: 2 } } });
    const address = await unit.call('AT_mock_start_grpc_server', { methods, port: 0 });
    for (const request of ['one', 'two', 'three', 'four'])
      await unit.call('AT_test_api_method_grpc', { address, method: '/shop.Goods/Find', messages: [request] });
    const kept = await unit.call('AT_mock_grpc_received', { method_path: '/shop.Goods/Find' });
    expect(kept).toEqual(['three', 'four']);
  });

  test('mock_grpc_message_bytes: a larger message is refused', async () => {
    const methods = { '/shop.Goods/Find': { response: { id: 5 } } };
    await using unit = await session({ settings: { gates: {}, limits: { mock_grpc_message_bytes: 20 } } });
    const address = await unit.call('AT_mock_start_grpc_server', { methods, port: 0 });
    const ask = (request: string): Promise<unknown> =>
      unit.call('AT_test_api_method_grpc', { address, method: '/shop.Goods/Find', messages: [request] });
    expect(await ask('x'.repeat(20))).toBeDefined();
    expect((await failureOf(ask('x'.repeat(21)))).message).toContain('RESOURCE_EXHAUSTED');
  });
});
