import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  action_span,
  AuditLog,
  ChatSink,
  DiscordSink,
  EmailSink,
  execute_action,
  init_tracing,
  instrument_request,
  is_within,
  NotificationManager,
  NotificationSink,
  default_manager,
  notify_on_failure,
  PagerDutySink,
  record_action,
  render_metrics,
  shutdown_tracing,
  TeamsSink,
  TelegramSink,
  WebhookSink,
  type SessionOptions,
} from '#compiler/library/files.ts';

import {
  CHAT_PATH,
  DISCORD_PATH,
  ROUTING_KEY,
  startNotifyServices,
  TEAMS_PATH,
  TELEGRAM_TOKEN,
  type NotifyServices,
} from '../fixtures/notify-services.ts';
import { startCollector } from '../fixtures/otlp-collector.ts';
import { startSmtp } from '../fixtures/smtp.ts';

let root = '';
let services: NotifyServices;
const open: SessionOptions = { settings: { gates: { private: true } } };
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-library-'));
  services = await startNotifyServices();
});
afterEach(async () => {
  await services[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

describe('notifications', () => {
  it('go to sinks of every type', async () => {
    await using smtp = await startSmtp({ plain: true });
    const manager = new NotificationManager({ dedup_seconds: 60 });
    expect(manager.has_sinks).toBe(false);
    manager.register(
      new WebhookSink(`${services.url}/hook`, { name: 'own name', extra_headers: { 'x-a': 'b' } }, open),
    );
    manager.register(new ChatSink(services.url + CHAT_PATH, {}, open));
    manager.register(new DiscordSink(services.url + DISCORD_PATH, {}, open));
    manager.register(new TeamsSink(services.url + TEAMS_PATH, {}, open));
    manager.register(new TelegramSink(TELEGRAM_TOKEN, -1001, { api_url: services.url }, open));
    manager.register(new PagerDutySink(ROUTING_KEY, { source: 'ci', events_url: `${services.url}/v2/enqueue` }, open));
    manager.register(new EmailSink('127.0.0.1', smtp.port, 'a@x.example', ['b@x.example'], { use_tls: false }, open));
    const names = ['own name', 'chat', 'discord', 'teams', 'telegram', 'pagerduty', 'email'];
    expect(manager.list().map(({ name }) => name)).toEqual(names);
    expect(manager.list()[0]).toEqual({ name: 'own name', type: 'webhook', url_host: '127.0.0.1' });
    expect(await manager.notify('Build broken', { body: 'see log', level: 'error' })).toEqual(
      Object.fromEntries(names.map((name) => [name, 'sent'])),
    );
    expect(smtp.mails).toMatchObject([{ text: 'see log', headers: { subject: '[ERROR] Build broken' } }]);
    expect(services.received).toHaveLength(6);
    expect(services.received.find(({ path }) => path === '/hook')).toMatchObject({
      headers: { 'x-a': 'b' },
      json: { subject: 'Build broken', body: 'see log', level: 'error' },
    });
    expect(await manager.notify('Build broken', 'see log', 'error')).toMatchObject({ chat: 'dedup' });
    expect([manager.unregister('chat'), manager.unregister('chat'), manager.unregister_all()]).toEqual([
      true,
      false,
      6,
    ]);
  });

  it('a sink can be used alone; what goes wrong holds no secret', async () => {
    const sink = new ChatSink(services.url + CHAT_PATH, {}, open);
    await sink.send('one', 'two', 'warning');
    await sink.send('one', 'two', { level: 'info' });
    expect(services.received.map(({ json }) => json['text'])).toEqual([':warning: *one*\ntwo', '*one*\ntwo']);
    services.answer({ status: 500 });
    await expect(sink.send('x', '')).rejects.toMatchObject({
      name: 'NotificationException',
      message: 'The notification sink "chat" did not take the message: it answered 500 Internal Server Error.',
    });
    await expect(sink.send('', '')).rejects.toMatchObject({ name: 'NotificationException' });
    await expect(new ChatSink(services.url + CHAT_PATH).send('x', '')).rejects.toMatchObject({
      name: 'UrlValidationException',
    });
    expect(() => new EmailSink('h', 25, 'a@x.example', [])).toThrow('the option "recipients" must be a list');
    expect(() => new WebhookSink('http://x.example/', { timeout: -1 })).toThrow('"timeout" must be a number above 0');
  });

  it("take sinks of one's own, and nothing that is none", async () => {
    const manager = new NotificationManager();
    const told: unknown[] = [];
    class Own extends NotificationSink {
      override async send(...message: unknown[]): Promise<void> {
        told.push(message.slice(0, 3));
      }
    }
    manager.register(new Own('own'));
    manager.register(new NotificationSink('none'));
    expect(await manager.notify('a')).toMatchObject({
      own: 'sent',
      none: expect.stringContaining('no function "send"') as unknown,
    });
    expect(told).toEqual([['a', '', 'info']]);
    expect(() => manager.register({ name: 'x' } as never)).toThrow(
      expect.objectContaining({ name: 'NotificationException' }),
    );
    await expect(manager.notify('')).rejects.toMatchObject({ name: 'NotificationException' });
    expect(() => new NotificationManager({ dedup_seconds: -1 })).toThrow(/dedup_seconds/);
    expect(await notify_on_failure('svc: job failed', 'boom', { manager })).toBe(null);
    expect(told.at(-1)).toEqual(['svc: job failed', 'boom', 'error']);
    expect(await notify_on_failure('x', 'y')).toBe(null);
    expect(told).toHaveLength(2);
    default_manager().register(new Own('own'));
    expect(await notify_on_failure('nightly', 'it broke')).toBe(null);
    expect(told.at(-1)).toEqual(['nightly', 'it broke', 'error']);
    default_manager().unregister('own');
  });
});

it('sinks refuse what is no address when they are made', () => {
  for (const make of [
    () => new WebhookSink('hooks'),
    () => new ChatSink('hooks'),
    () => new TelegramSink('token', 1, { api_url: 'api' }),
    () => new PagerDutySink('key', { events_url: '//x' }),
  ]) {
    expect(make).toThrow(expect.objectContaining({ name: 'UrlValidationException' }));
  }
});

describe('AuditLog', () => {
  it('writes, reads, counts and purges rows', async () => {
    await using log = new AuditLog(join(root, 'logs', 'a.db'));
    expect(
      await log.record('deploy', {
        actor: 'ada',
        status: 'error',
        duration_ms: 12,
        detail: { token: 'x', version: 1 },
      }),
    ).toBe(null);
    await log.record('deploy');
    expect(await log.recent({ actor: 'ada' })).toMatchObject([
      { id: 1, action: 'deploy', status: 'error', duration_ms: 12, detail: { token: '***', version: 1 } },
    ]);
    expect([await log.count(), await log.count({ status: 'ok' }), (await log.recent({ limit: 1 })).length]).toEqual([
      2, 1, 1,
    ]);
    expect(await log.purge(1000)).toBe(0);
    await expect(log.purge(0)).rejects.toMatchObject({ name: 'AuditException' });
    await log.close();
    expect(await log.count()).toBe(2);
  });

  it('recording never rejects; reading does', async () => {
    await writeFile(join(root, 'text'), 'no database '.repeat(100));
    const log = new AuditLog(join(root, 'text'));
    const warning = new Promise<Error>((resolve) => process.once('warning', resolve));
    expect(await log.record('x')).toBe(null);
    expect(await warning).toMatchObject({
      name: 'AuditWarning',
      message: expect.stringContaining('is not a database') as unknown,
    });
    await expect(log.count()).rejects.toMatchObject({ name: 'AuditException' });
  });
});

it('metrics of the process', async () => {
  const count = (): number =>
    Number(/svc_actions_total\{action="FA_is_within",status="ok"\} (\d+)/.exec(render_metrics()[0])?.[1] ?? 0);
  const before = count();
  await execute_action([
    ['FA_is_within', { base: '/a', user_path: 'b' }],
    ['FA_if_exists', { path: root, then: [['FA_is_within', { base: '/a', user_path: 'b' }]] }],
  ]);
  await execute_action([['FA_is_within', { base: '/a', user_path: 'b' }]], { dry_run: true });
  await is_within('/a', 'b');
  expect(count() - before).toBe(3);
  expect(render_metrics()[0]).not.toContain('action="execute_action"');
  record_action('library_test', 0.2, true);
  record_action('library_test', -1, false);
  const [text, type] = render_metrics();
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain(
    'svc_actions_total{action="library_test",status="ok"} 1\nsvc_actions_total{action="library_test",status="error"} 1\n',
  );
  expect(text).toContain('svc_action_duration_seconds_count{action="library_test"} 2');
});

it('spans around requests have their status or their error, and no credentials', async () => {
  await using collector = await startCollector();
  const url = 'https://ada:s3cret@shop.example/goods?token=t0ken&page=2';
  expect(await instrument_request('get', url, () => 5)).toBe(5);
  await init_tracing({ exporter: collector.url });
  const answer = { response: { status_code: 201 } };
  expect(await instrument_request('get', url, () => answer, { attributes: { size: 3 } })).toBe(answer);
  const failing = Object.assign(new Error('no luck at /goods?token=t0ken'), { status: 503 });
  await expect(instrument_request('post', '/goods?token=t0ken', () => Promise.reject(failing))).rejects.toBe(failing);
  const refused = (): never => {
    throw new Error('https://shop.example/goods?token=t0ken&page=2 refused');
  };
  await expect(instrument_request('put', url, refused)).rejects.toThrow('t0ken');
  await shutdown_tracing();
  const shown = 'https://shop.example/goods?token=***&page=2';
  expect(collector.spans).toMatchObject([
    {
      name: `GET ${shown}`,
      attributes: { 'http.method': 'GET', 'http.url': shown, 'http.status_code': 201, size: 3 },
      status: { code: 1 },
    },
    {
      name: 'POST /goods',
      attributes: { 'http.url': '/goods', 'http.status_code': 503 },
      status: { code: 2, message: 'no luck at /goods' },
      events: [{ name: 'exception' }],
    },
    { name: `PUT ${shown}`, status: { message: `${shown} refused` } },
  ]);
  const told = JSON.stringify(collector.spans, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  expect(told).not.toMatch(/t0ken|s3cret/);
});

it('spans around actions', async () => {
  await using collector = await startCollector();
  action_span('before').end();
  expect(await init_tracing({ service_name: 'lib', exporter: collector.url, resource_attributes: { a: 1 } })).toBe(
    true,
  );
  expect(await init_tracing({ exporter: collector.url })).toBe(false);
  {
    using span = action_span('work', { attributes: { size: 3 } });
    expect(span).toBeDefined();
  }
  await execute_action([['FA_if_exists', { path: root, then: [['FA_create_dir', { dir_path: join(root, 'made') }]] }]]);
  const failing = action_span('broken');
  failing.end(new Error('no luck'));
  failing.end();
  expect([await shutdown_tracing(), await shutdown_tracing()]).toEqual([true, false]);
  const [holder, inner] = ['FA_if_exists', 'FA_create_dir'].map((name) =>
    collector.spans.find(({ attributes }) => attributes['fa.action'] === name),
  );
  expect(inner?.parentSpanId).toBe(holder?.spanId);
  expect(collector.spans.map(({ attributes }) => String(attributes['fa.action'])).sort()).toEqual([
    'FA_create_dir',
    'FA_execute_action',
    'FA_if_exists',
    'broken',
    'work',
  ]);
  expect(collector.spans.filter(({ attributes }) => !String(attributes['fa.action']).startsWith('FA_'))).toMatchObject([
    { name: 'svc.action', attributes: { 'fa.action': 'work', size: 3 }, status: { code: 1 } },
    { attributes: { 'fa.action': 'broken' }, status: { code: 2, message: 'no luck' }, events: [{ name: 'exception' }] },
  ]);
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'lib', a: 1 });
  await expect(init_tracing({ exporter: 'nowhere.mjs#make' })).rejects.toThrow();
  await expect(init_tracing({ resource_attributes: { a: {} } })).rejects.toMatchObject({ name: 'TracingException' });
});
