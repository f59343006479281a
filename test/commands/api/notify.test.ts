import { describe, expect, test } from 'vitest';

import { call, failureOf, session } from '../call.ts';
import { startHttp, type Started } from './servers.ts';

interface Got {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, string>;
}

async function receiver(
  answer: (got: Got) => readonly [status: number, body: unknown],
): Promise<{ server: Started; got: Got[] }> {
  const got: Got[] = [];
  const server = await startHttp((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const one: Got = {
        method: request.method ?? '',
        url: request.url ?? '',
        authorization: request.headers.authorization,
        body: (text === '' ? {} : JSON.parse(text)) as Record<string, string>,
      };
      got.push(one);
      const [status, body] = answer(one);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  return { server, got };
}

const open = { settings: { gates: { private: true } } };

describe('AT_notify_via_webhook', () => {
  test.each([
    ['chat', 'text', 40_000],
    ['chat2', 'text', 25_000],
    ['chat3', 'content', 2000],
  ])('%s takes "%s" of at most %d signs', async (platform, field, longest) => {
    const { server, got } = await receiver(() => [204, null]);
    await using _ = server;
    expect(
      await call(
        'AT_notify_via_webhook',
        { webhook_url: `${server.url}/hook`, summary: 'x'.repeat(50_000), platform },
        open,
      ),
    ).toBe(204);
    const text = got[0]?.body[field] ?? '';
    // The ellipsis takes three of the bytes that chat2 counts, the line break two.
    expect(text).toHaveLength(platform === 'chat2' ? longest - 3 : longest);
    expect(text).toContain('(cut: 50000 signs)');
  });

  test('chat2 is held to its bytes, and may say in an answer that it did not deliver', async () => {
    const { server, got } = await receiver(() => [200, got.length > 1 ? 'Webhook message delivery failed' : 1]);
    await using _ = server;
    const hook = { webhook_url: `${server.url}/hook`, summary: '漢😀'.repeat(10_000), platform: 'chat2' };
    expect(await call('AT_notify_via_webhook', hook, open)).toBe(200);
    expect(Buffer.byteLength(got[0]?.body['text'] ?? '')).toBeLessThanOrEqual(25_000);
    expect(got[0]?.body['text']).toMatch(/[漢😀]\n… \(cut: 30000 signs\)$/u);
    expect((await failureOf(call('AT_notify_via_webhook', hook, open))).message).toContain('delivery failed');
    await failureOf(call('AT_notify_via_webhook', { ...hook, summary: '{"a": "b"}\n'.repeat(10_000) }, open));
    const size = Buffer.byteLength(JSON.stringify(got[2]?.body));
    expect(size).toBeGreaterThan(24_000);
    expect(size).toBeLessThan(25_020);
  });

  test.each([302, 304, 404])('status %d is no delivery, and no record holds the address', async (status) => {
    const { server } = await receiver(({ url }) => [status, url]);
    await using _ = server;
    await using unit = await session(open);
    const webhook_url = `${server.url.replace('127.0.0.1', '127.1')}/hooks/very-secret-part-of-it`;
    const ended = await unit.step('AT_notify_via_webhook', { webhook_url, summary: 'x' });
    expect(ended.failure?.message).toContain(`status ${status}`);
    await unit.step('AT_notify_via_webhook', { webhook_url: webhook_url.replace(/:\d+/, ':1'), summary: 'x' });
    expect(unit.records.map((record) => record.status)).toEqual(['failed', 'failed']);
    expect(JSON.stringify([unit.records, unit.events])).not.toContain('very-secret-part');
  });

  test('what is no address is said so', async () => {
    const error = await failureOf(call('AT_notify_via_webhook', { webhook_url: 'https://', summary: 'x' }));
    expect(error.facts.code).toBe('SVC83019');
  });

  test('fails when the message was not delivered, without the address', async () => {
    const { server } = await receiver(() => [403, { error: 'revoked' }]);
    await using _ = server;
    const webhook_url = `${server.url}/hooks/very-secret-part`;
    const error = await failureOf(call('AT_notify_via_webhook', { webhook_url, summary: 'x' }, open));
    expect(error.facts.code).toBe('SVC83180');
    expect(error.message).toContain('revoked');
    expect(error.message).not.toContain('very-secret-part');
  });

  test('asks no private place unless the gate is open', async () => {
    const { server, got } = await receiver(() => [200, null]);
    await using _ = server;
    const closed = { settings: { gates: { private: false } } };
    await failureOf(call('AT_notify_via_webhook', { webhook_url: server.url, summary: 'x' }, closed));
    expect(got).toEqual([]);
  });
});

describe('AT_post_pr_comment', () => {
  const params = { repo: 'ada/shop', pr_number: 7, token: 'a-very-secret-token' };

  test('adds the report, and replaces what an earlier run has left', async () => {
    const comments: { id: number; body: string }[] = Array.from({ length: 100 }, (_, index) => ({
      id: index,
      body: 'other',
    }));
    const { server, got } = await receiver(({ method, url, body }) => {
      if (method === 'GET') return [200, url.endsWith('page=1') ? comments.slice(0, 100) : comments.slice(100)];
      if (method === 'POST') comments.push({ id: 555, body: body['body'] ?? '' });
      return [method === 'POST' ? 201 : 200, {}];
    });
    await using _ = server;
    await using unit = await session();
    const again = { ...params, api_base_url: `${server.url}/api/v3/` };
    expect(await unit.call('AT_post_pr_comment', again)).toBe(201);
    expect(await unit.call('AT_post_pr_comment', { ...again, body: 'new text' })).toBe(200);
    expect(got.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v3/repos/ada/shop/issues/7/comments?per_page=100&page=1',
      'GET /api/v3/repos/ada/shop/issues/7/comments?per_page=100&page=2',
      'POST /api/v3/repos/ada/shop/issues/7/comments',
      'GET /api/v3/repos/ada/shop/issues/7/comments?per_page=100&page=1',
      'GET /api/v3/repos/ada/shop/issues/7/comments?per_page=100&page=2',
      'PATCH /api/v3/repos/ada/shop/issues/comments/555',
    ]);
    expect(got[2]?.body['body']).toMatch(/^<details>\n<summary>svc run<\/summary>\n\n# svc run/);
    expect(got[5]?.body['body']).toMatch(/^new text\n/);
    expect(got.every(({ authorization }) => authorization === 'Bearer a-very-secret-token')).toBe(true);
    expect(JSON.stringify(unit.records)).not.toContain('a-very-secret-token');
  });

  test('fails when it was refused', async () => {
    const { server } = await receiver(({ method }) => [
      method === 'GET' ? 200 : 403,
      method === 'GET' ? [] : { message: 'no right' },
    ]);
    await using _ = server;
    const error = await failureOf(call('AT_post_pr_comment', { ...params, body: 'x', api_base_url: server.url }));
    expect(error.facts.code).toBe('SVC83181');
    expect(error.message).toContain('no right');
  });
});
