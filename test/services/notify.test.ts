import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Level, Notify } from '#runtime/services/notify/port.ts';

import {
  CHAT_PATH,
  DISCORD_PATH,
  ROUTING_KEY,
  startNotifyServices,
  TEAMS_PATH,
  TELEGRAM_TOKEN,
  type NotifyServices,
} from '../fixtures/notify-services.ts';
import { session, type Session } from '../commands/session.ts';

const { signal } = new AbortController();
let services: NotifyServices;
let unit: Session;
let notify: Notify;
beforeAll(async () => {
  services = await startNotifyServices();
});
afterAll(() => services[Symbol.asyncDispose]());
beforeEach(async () => {
  services.received.length = 0;
  unit = await session({ settings: { gates: { private: true } } });
  notify = await unit.work.port('notify', unit.work.linked);
});
afterEach(() => unit.end());

const hook = (options: Readonly<Record<string, unknown>> = {}, name: string | null = null): Promise<unknown> =>
  notify.register('webhook', name, { url: `${services.url}/hook`, ...options }, signal);
const send = (subject: string, body = '', level: Level = 'info'): Promise<Readonly<Record<string, string>>> =>
  notify.send({ subject, body, level }, signal);

describe('what services get', () => {
  test('a webhook', async () => {
    await hook({ extra_headers: { 'X-Team': 'ops', 'Content-Type': 'application/json; profile=x' } });
    await send('A "quoted"\nsubject', 'body', 'warning');
    expect(services.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        headers: { host: `127.0.0.1:${services.port}`, 'x-team': 'ops', 'content-type': 'application/json; profile=x' },
        json: { subject: 'A "quoted"\nsubject', body: 'body', level: 'warning' },
      },
    ]);
    expect(Object.keys(services.received[0]?.json ?? {})).toEqual(['subject', 'body', 'level']);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string, unknown]>([
    [
      'chat',
      { webhook_url: CHAT_PATH },
      CHAT_PATH,
      { text: ':rotating_light: *Disk \u200b*\u200bfull\u200b*\u200b &lt;!channel&gt;*\nuse &amp; &lt;@U1&gt; a_b' },
    ],
    [
      'slack',
      { webhook_url: CHAT_PATH },
      CHAT_PATH,
      { text: ':rotating_light: *Disk \u200b*\u200bfull\u200b*\u200b &lt;!channel&gt;*\nuse &amp; &lt;@U1&gt; a_b' },
    ],
    [
      'telegram',
      { bot_token: TELEGRAM_TOKEN, chat_id: '@ops', api_url: '' },
      `/bot${TELEGRAM_TOKEN}/sendMessage`,
      { chat_id: '@ops', text: '\u{1f6a8} Disk *full* <!channel>\nuse & <@U1> a_b', disable_web_page_preview: true },
    ],
    [
      'discord',
      { webhook_url: DISCORD_PATH },
      DISCORD_PATH,
      { content: ':rotating_light: **Disk \\*full\\* \\<!channel>**\nuse & \\<@\u200bU1> a\\_b' },
    ],
    [
      'teams',
      { webhook_url: TEAMS_PATH },
      TEAMS_PATH,
      {
        '@type': 'MessageCard',
        '@context': 'https://schema.org/extensions',
        summary: 'Disk *full* <!channel>',
        themeColor: 'C0392B',
        title: 'Disk *full* <!channel>',
        text: 'use & \\<@U1> a\\_b',
      },
    ],
    [
      'pagerduty',
      { routing_key: ROUTING_KEY, source: 'ci', events_url: '/v2/enqueue' },
      '/v2/enqueue',
      {
        routing_key: ROUTING_KEY,
        dedup_key: 'ci: Disk *full* <!channel>',
        event_action: 'trigger',
        payload: {
          summary: 'Disk *full* <!channel>',
          source: 'ci',
          severity: 'error',
          custom_details: { body: 'use & <@U1> a_b' },
        },
      },
    ],
  ])('%s', async (type, given, path, json) => {
    const options = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, key.endsWith('_url') ? services.url + String(value) : value]),
    );
    await notify.register(type as 'chat', 'it', options, signal);
    expect(await send('Disk *full*\r\n<!channel> ', 'use & <@U1> a_b', 'error')).toEqual({ it: 'sent' });
    expect(services.received).toMatchObject([
      { method: 'POST', path, headers: { 'content-type': 'application/json; charset=utf-8' } },
    ]);
    expect(services.received[0]?.json).toEqual(json);
  });

  test('everybody is called in no chat', async () => {
    await notify.register('discord', null, { webhook_url: services.url + DISCORD_PATH }, signal);
    await send('x', '@everyone [click](http://x.example)\n# big\n> quote\n|| hidden ||');
    expect(services.received[0]?.json['content']).toBe(
      '**x**\n@\u200beveryone \\[click\\](http://x.example)\n\\# big\n\\> quote\n\\|\\| hidden \\|\\|',
    );
  });

  test('a pager can be told that it is over', async () => {
    await notify.register(
      'pagerduty',
      null,
      { routing_key: ROUTING_KEY, events_url: `${services.url}/v2/enqueue`, resolve_on_info: true },
      signal,
    );
    await send('Queue stuck', 'since 3', 'error');
    await send('Queue stuck', 'it moves', 'info');
    expect(services.received.map(({ json }) => [json['event_action'], json['dedup_key']])).toEqual([
      ['trigger', 'svc: Queue stuck'],
      ['resolve', 'svc: Queue stuck'],
    ]);
  });

  test('a long subject fits', async () => {
    await notify.register(
      'pagerduty',
      null,
      { routing_key: ROUTING_KEY, events_url: `${services.url}/v2/enqueue` },
      signal,
    );
    await notify.register('teams', null, { webhook_url: services.url + TEAMS_PATH }, signal);
    expect(await send('long '.repeat(4000), 'x'.repeat(100_000))).toEqual({ pagerduty: 'sent', teams: 'sent' });
    expect(await send('漢'.repeat(4000), '"\n'.repeat(50_000))).toEqual({ pagerduty: 'sent', teams: 'sent' });
    const cards = services.received.filter(({ json }) => json['@type'] === 'MessageCard');
    expect(cards).toHaveLength(2);
    for (const { json } of cards) expect(Buffer.byteLength(JSON.stringify(json))).toBeLessThan(28_000);
  });
});

describe('what services answer', () => {
  test.each([
    [{ status: 400, body: '{"error":"bad\nthing"}' }, 'it answered 400 Bad Request: {"error":"bad thing"}'],
    [
      { status: 302, headers: { location: 'http://x.example/' } },
      'it answered 302 and redirects, which is not followed',
    ],
    [{ status: 429 }, 'it answered 429 Too Many Requests'],
    [{ status: 429, headers: { 'retry-after': '3600' } }, 'it answered 429 Too Many Requests; it asks to wait 3600 s'],
    ['drop' as const, /POST \*\*\*/],
  ])('%j is told', async (answer, reason) => {
    await hook();
    services.answer(answer);
    const { webhook } = await send('x');
    if (reason instanceof RegExp) expect(webhook).toMatch(reason);
    else expect(webhook).toBe(`The notification sink "webhook" did not take the message: ${reason}.`);
    expect(services.received).toHaveLength(1);
  });

  test.each([
    ['a header with seconds', { status: 429, headers: { 'retry-after': '0.2' } }],
    ['a header with a moment', { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } }],
    ['a body as one service writes it', { status: 429, body: '{"ok":false,"parameters":{"retry_after":0}}' }],
    [
      'a body as another one does',
      { status: 429, body: '{"message":"You are being rate limited.","retry_after":0.05,"global":false}' },
    ],
  ])('asked to wait by %s, it waits and sends again', async (_how, answer) => {
    await hook();
    services.answer(answer, answer);
    expect(await send('x')).toEqual({ webhook: 'sent' });
    expect(services.received).toHaveLength(3);
  });

  test('not for ever', async () => {
    await hook();
    services.answer(
      ...Array<{ status: number; headers: Record<string, string> }>(3).fill({
        status: 429,
        headers: { 'retry-after': '0' },
      }),
    );
    expect((await send('x'))['webhook']).toContain('429');
    expect(services.received).toHaveLength(3);
  });

  test('a status that is fine does not hide what the answer says', async () => {
    await notify.register('teams', null, { webhook_url: services.url + TEAMS_PATH }, signal);
    services.answer({
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
    });
    expect((await send('x'))['teams']).toContain('it answered: Webhook message delivery failed');
    await notify.register('telegram', null, { bot_token: TELEGRAM_TOKEN, chat_id: 1, api_url: services.url }, signal);
    services.answer({ status: 200, body: '1' }, { status: 200, body: '<html>login</html>' });
    expect((await send('y'))['telegram']).toMatch(/does not say|chat not found/);
  });

  test('what echoes a secret is hidden', async () => {
    await notify.register('telegram', null, { bot_token: TELEGRAM_TOKEN, chat_id: 1, api_url: services.url }, signal);
    services.answer({ status: 401, body: `bad token ${TELEGRAM_TOKEN}` });
    expect((await send('x'))['telegram']).toBe(
      'The notification sink "telegram" did not take the message: it answered 401 Unauthorized: bad token ***.',
    );
  });
});

describe('sinks', () => {
  test('one that fails does not disturb the others, and all are told at once', async () => {
    await hook({ url: `${services.url}/nowhere` }, 'broken');
    await hook({}, 'fine');
    const result = await send('x');
    expect(result).toMatchObject({ fine: 'sent' });
    expect(result['broken']).toContain('404');
    expect(Object.keys(result)).toEqual(['broken', 'fine']);
  });

  test('are listed without secrets, replaced by name, and removed', async () => {
    await hook({ url: `${services.url}/secretsecret` });
    await hook({}, 'b');
    await notify.register('telegram', 'b', { bot_token: TELEGRAM_TOKEN, chat_id: -5 }, signal).catch(() => undefined);
    await notify.register('pagerduty', 'p', { routing_key: ROUTING_KEY, events_url: services.url }, signal);
    await notify.register(
      'email',
      'm',
      {
        host: 'localhost',
        port: 25,
        sender: 'a@x.example',
        recipients: ['b@x.example'],
        username: 'u',
        password: 'secretsecret',
      },
      signal,
    );
    expect(notify.list().filter(({ name }) => name !== 'b')).toEqual([
      { name: 'webhook', type: 'webhook', url_host: '127.0.0.1' },
      { name: 'p', type: 'pagerduty', source: 'svc' },
      { name: 'm', type: 'email', host: 'localhost', port: 25, recipients: ['b@x.example'] },
    ]);
    expect([notify.unregister('p'), notify.unregister('p'), notify.unregisterAll(), notify.list()]).toEqual([
      true,
      false,
      3,
      [],
    ]);
    expect(await send('x')).toEqual({});
  });

  test.each([
    ['both addresses', { webhook_url: 'http://x.example' }, 'mean the same'],
    ['a header of the request itself', { extra_headers: { Host: 'x' } }, '"Host" cannot be one of "extra_headers"'],
    ['a header that splits', { extra_headers: { a: 'b\r\nc: d' } }, 'holds a character that no header may hold'],
    ['a header name that is none', { extra_headers: { 'a b': 'c' } }, 'cannot be one of'],
  ])('%s is refused', async (_what, options, reason) => {
    await expect(hook(options)).rejects.toThrow(reason);
  });

  test.each(['ftp://127.0.0.1/x', 'http://user:pw@127.0.0.1/x', 'no address', 'file:///etc/passwd'])(
    '%s is no address, and is not shown',
    async (url) => {
      const refused: unknown = await hook({ url }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ name: 'UrlValidationException' });
      expect(String(refused)).not.toContain(url);
    },
  );

  test('a login over an open line is refused when the sink is registered', async () => {
    const options = {
      host: 'localhost',
      port: 25,
      sender: 'a@x.example',
      recipients: ['b@x.example'],
      username: 'u',
      password: 'pass word',
      use_tls: false,
    };
    await expect(notify.register('email', null, options, signal)).rejects.toThrow('it would sign in without TLS');
  });

  test('the address is checked again when a message goes out, and what was checked is what is asked', async () => {
    let answers = ['93.184.216.34'];
    const host = { ...unit.work.run.host, lookup: async () => answers };
    await using other = await session({ host, settings: { gates: { private: false } } });
    const guarded = await other.work.port('notify', other.work.linked);
    await guarded.register(
      'webhook',
      null,
      { url: `http://rebinding.example:${services.port}/hook`, timeout: 1 },
      signal,
    );
    answers = ['127.0.0.1'];
    await expect(guarded.send({ subject: 'x', body: '', level: 'info' }, signal)).resolves.toMatchObject({
      webhook: expect.stringContaining('leads to 127.0.0.1') as unknown,
    });
    expect(services.received).toEqual([]);
  });

  test('a proxy of the environment is not asked', async () => {
    const host = { ...unit.work.run.host, env: { http_proxy: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' } };
    await using other = await session({ host, settings: { gates: { private: true } } });
    const own = await other.work.port('notify', other.work.linked);
    await own.register('webhook', null, { url: `${services.url}/hook` }, signal);
    expect(await own.send({ subject: 'x', body: '', level: 'info' }, signal)).toEqual({ webhook: 'sent' });
  });
});

describe('what fails in the background', () => {
  test('is sent at level error, silently where there are no sinks', async () => {
    await notify.alert('svc: trigger[t] failed', 'boom');
    expect(services.received).toEqual([]);
    await hook();
    await notify.alert('svc: trigger[t] failed', 'boom');
    expect(services.received.map(({ json }) => json)).toEqual([
      { subject: 'svc: trigger[t] failed', body: 'boom', level: 'error' },
    ]);
  });

  test('needs a subject that can be seen', async () => {
    await hook();
    for (const subject of ['', ' ', '\n\t'])
      await expect(notify.send({ subject, body: 'x', level: 'info' }, signal)).rejects.toMatchObject({
        facts: { code: 'SVC87404' },
      });
    expect(services.received).toEqual([]);
  });

  test('never fails itself, and says whether somebody took it', async () => {
    expect(await notify.alert('x', 'y')).toBe(true);
    await hook();
    services.answer({ status: 500 });
    expect(await notify.alert('x', 'y')).toBe(false);
    expect(await notify.alert('', 'y')).toBe(false);
    expect(services.received).toHaveLength(1);
    expect([await notify.alert('x', 'y'), await notify.alert('x', 'y')]).toEqual([true, true]);
    expect(services.received).toHaveLength(2);
  });

  test('holds no secret, and its subject no line break, which a sink might refuse', async () => {
    await hook();
    unit.work.run.masker.add('hunter22');
    await notify.alert('svc: trigger[a\r\nBcc: b\u0007] failed', 'because of hunter22');
    expect(services.received.map(({ json }) => json)).toEqual([
      { subject: 'svc: trigger[a Bcc: b ] failed', body: 'because of ***', level: 'error' },
    ]);
  });
});

test('a sink that answers without end is cut off', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200);
    const more = (): void =>
      void (response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more));
    response.on('error', () => undefined);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await hook({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, timeout: 5 });
  expect((await send('x'))['webhook']).toContain('did not take the message');
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test('a sink that does not answer is given up when the time of the configuration for all sinks is over', async () => {
  await using hurried = await session({ settings: { gates: { private: true }, limits: { notify_seconds: 0.1 } } });
  const own = await hurried.work.port('notify', hurried.work.linked);
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await own.register('webhook', null, { url, timeout: 3600 }, signal);
  const told = await own.send({ subject: 'x', body: '', level: 'info' }, signal);
  expect(told['webhook']).toContain('0.1');
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
