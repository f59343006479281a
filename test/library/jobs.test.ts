import { appendFileSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  AutomationConfig,
  ChainedSecretProvider,
  ConfigWatcher,
  create_project_dir,
  CronExpression,
  default_provider,
  EnvSecretProvider,
  FileSecretProvider,
  FileWatcher,
  NotificationManager,
  ProjectBuilder,
  resolve_secret_refs,
  Scheduler,
  SecretProvider,
  Session,
  TriggerManager,
} from '#compiler/library/files.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

import { startNotifyServices } from '../fixtures/notify-services.ts';

let root = '';
const at = (name: string): string => join(root, name);
beforeAll(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-library-')))));
afterAll(() => rmSync(root, { recursive: true }));

const failed = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: Error) => error,
  );
const until = async (isSo: () => boolean): Promise<void> => {
  for (let count = 0; count < 1000 && !isSo(); count += 1) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('CronExpression', () => {
  it('parses five fields, and tells whether a local minute fires', () => {
    const cron = CronExpression.parse(' */15 9-17 * * mon-fri ');
    expect([cron.source, [...cron.minutes], [...cron.weekdays], cron.days.size]).toEqual([
      '*/15 9-17 * * mon-fri',
      [0, 15, 30, 45],
      [1, 2, 3, 4, 5],
      31,
    ]);
    expect(
      [
        '2024-01-05T17:45',
        '2024-01-05T17:45:59+09:00',
        '2024-01-05 09:00:30',
        '2024-01-05T18:00',
        '2024-01-06T10:00',
      ].map((moment) => cron.matches(moment)),
    ).toEqual([true, true, true, false, false]);
    expect([
      cron.matches(new Date(2024, 0, 5, 9, 15, 30)),
      CronExpression.parse('0 0 1 * mon').matches('2024-01-08T00:00'),
    ]).toEqual([true, true]);
    expect(Object.isFrozen(cron)).toBe(true);
  });
  it('throws for anything else', () => {
    for (const text of ['', '* * * *', '@daily', '60 * * * *', '0 0 * * fri-mon'])
      expect(() => CronExpression.parse(text)).toThrow(expect.objectContaining({ name: 'CronException' }) as Error);
    expect(() => CronExpression.parse('* * * * *').matches('soon')).toThrow('2024-05-01T09:30');
  });
});

describe('Scheduler', () => {
  it('runs lists at cron times until it is shut down', async () => {
    const host = memoryHost({ now: Date.parse('2026-01-02T03:04:30Z') });
    const called: string[] = [];
    const scheduler = new Scheduler({
      host,
      functions: { note: (given: { text: string }) => void called.push(given.text) },
    });
    expect(await scheduler.add('job', '*/5 * * * *', [['note', { text: 'fired' }]])).toMatchObject({
      cron: '*/5 * * * *',
      next_run: '2026-01-02T03:05:00+00:00',
      runs: 0,
    });
    expect((await failed(scheduler.add('job', '* * * * *', [['note', { text: 'x' }]]))).name).toBe(
      'SchedulerException',
    );
    await failed(scheduler.add('other', '* * * * *', [['FA_no_such_command', {}]]));
    await host.clock.advance(31_000);
    await until(() => called.length > 0);
    expect([called, await scheduler.list()]).toMatchObject([
      ['fired'],
      [{ name: 'job', runs: 1, last_result: { ok: true } }],
    ]);
    expect(await scheduler.remove('job')).toMatchObject({ runs: 1 });
    expect(await scheduler.remove_all()).toEqual([]);
    await scheduler.shutdown();
    expect(host.clock.waiting).toEqual([]);
  });
});

describe('TriggerManager and FileWatcher', () => {
  it('run lists when files change', async () => {
    await using manager = new TriggerManager();
    const made = await manager.start(
      'inbox',
      root,
      [['FA_copy_file', { source: '${event.path}', target: `${root}/\${event.stem}.copy` }]],
      { pattern: '*.in', debounce_ms: 20 },
    );
    expect(made).toMatchObject({
      name: 'inbox',
      path: root,
      events: ['created', 'modified'],
      running: true,
      actions: 1,
    });
    writeFileSync(at('a.in'), 'a');
    writeFileSync(at('b.in'), 'b');
    await until(() => readdirSync(root).filter((name) => name.endsWith('.copy')).length === 2);
    expect([readFileSync(at('a.copy'), 'utf8'), readFileSync(at('b.copy'), 'utf8')]).toEqual(['a', 'b']);
    expect((await failed(manager.start('inbox', root, [['FA_create_dir', ['x']]]))).name).toBe('TriggerException');
    expect(await manager.stop('inbox')).toMatchObject({ running: false, runs: 2 });
    expect([await manager.list(), (await failed(manager.stop('inbox'))).name]).toEqual([[], 'TriggerException']);
  });

  it('can be told of failures by the sinks of a session', async () => {
    await using services = await startNotifyServices();
    await using session = await Session.open({ settings: { gates: { private: true } } });
    await session.action('FA_notify_register', { type: 'webhook', options: { url: `${services.url}/hook` } });
    await using watcher = new FileWatcher(
      'w',
      root,
      [['FA_file_checksum', { path: at('nothing') }]],
      { pattern: 'go', debounce_ms: 20 },
      { session },
    );
    expect([watcher.is_running, await watcher.snapshot()]).toEqual([false, null]);
    await watcher.start();
    writeFileSync(at('go'), 'x');
    await until(() => services.received.length > 0);
    expect(services.received[0]?.json).toMatchObject({ subject: 'svc: trigger[w] failed', level: 'error' });
    expect([watcher.is_running, await watcher.snapshot()]).toMatchObject([
      true,
      { runs: 1, last_result: { ok: false } },
    ]);
    await watcher.stop();
    await watcher.stop();
    expect([watcher.is_running, await watcher.snapshot()]).toMatchObject([false, { running: false }]);
    await watcher.start();
    expect(watcher.is_running).toBe(true);
  });
});

describe('FileWatcher', () => {
  it('stops alone, also where others share its session', async () => {
    await using session = await Session.open();
    await using manager = new TriggerManager({ session });
    await using one = new FileWatcher('one', root, [['FA_create_dir', ['x']]], {}, { session });
    await using other = new FileWatcher('other', root, [['FA_create_dir', ['x']]], {}, { session });
    await one.start();
    await other.start();
    await one.stop();
    expect((await manager.list()).map(({ name }) => name)).toEqual(['other']);
  });

  it('can be stopped, and started again, after it was stopped by others', async () => {
    await using session = await Session.open();
    await using watcher = new FileWatcher('w', root, [['FA_create_dir', ['x']]], {}, { session });
    await watcher.start();
    await session.action('FA_watch_stop', { name: 'w' });
    expect(await watcher.snapshot()).toMatchObject({ running: false });
    expect(watcher.is_running).toBe(false);
    await watcher.start();
    await session.action('FA_watch_stop', { name: 'w' });
    await watcher.stop();
    expect(watcher.is_running).toBe(false);
  });
});

describe('secrets', () => {
  it('come from the environment, from files, and from providers of the program', async () => {
    writeFileSync(at('password'), 'open sesame\n', { mode: 0o600 });
    class Vault extends SecretProvider {
      override readonly scheme = 'vault';
      override get(name: string): Promise<string | null> {
        return Promise.resolve(name === 'key' ? 'from the vault' : null);
      }
    }
    expect([
      await new EnvSecretProvider().get('PATH'),
      await new FileSecretProvider(root).get('password'),
      await new SecretProvider().get('x'),
    ]).toEqual([process.env['PATH'], 'open sesame', null]);
    const chain = new ChainedSecretProvider([new Vault(), default_provider({ file_root: root })]);
    expect([
      await chain.get('key'),
      await chain.resolve_one('file', 'password'),
      await chain.resolve_one('vault', 'key'),
    ]).toEqual(['from the vault', 'open sesame', 'from the vault']);
    expect(await resolve_secret_refs({ a: ['${vault:key} ${file:password}'], n: 1 }, chain)).toEqual({
      a: ['from the vault open sesame'],
      n: 1,
    });
    expect(await resolve_secret_refs('${vault:key}', new Vault())).toBe('from the vault');
    expect((await failed(resolve_secret_refs('${file:none}', chain))).name).toBe('SecretNotFoundException');
    expect((await failed(resolve_secret_refs('${file:password}', default_provider()))).name).toBe(
      'SecretNotFoundException',
    );
  });
});

describe('AutomationConfig and ConfigWatcher', () => {
  const text = (url: string, more = ''): string =>
    `[[notify.sinks]]\ntype = "webhook"\nname = "hook"\nwebhook_url = "${url}"\n[defaults]\ndedup_seconds = 0\n[other]\nkey = "\${vault:key}"\n${more}`;
  const provider = { scheme: 'vault', get: () => Promise.resolve('very secret') };

  it('puts sinks and defaults to use', async () => {
    await using services = await startNotifyServices();
    writeFileSync(at('c.toml'), text(`${services.url}/hook`));
    const config = await AutomationConfig.load(at('c.toml'), {
      provider,
      session: { settings: { gates: { private: true } } },
    });
    expect([
      config.source,
      config.section('other'),
      config.raw['defaults'],
      config.notification_sinks.map(({ name }) => name),
    ]).toEqual([at('c.toml'), { key: 'very secret' }, { dedup_seconds: 0 }, ['hook']]);
    expect(inspect(config, { depth: null, showHidden: true }) + JSON.stringify(config)).not.toContain('very secret');
    const manager = new NotificationManager();
    expect(await config.apply_to(manager)).toBe(1);
    expect([await manager.notify('one'), await manager.notify('one')]).toEqual([{ hook: 'sent' }, { hook: 'sent' }]);
  });

  it('tells what is wrong', async () => {
    writeFileSync(at('bad.toml'), '[[notify.sinks]]\ntype = "teams"\nurl = "https://x.example"\n');
    expect(await failed(AutomationConfig.load(at('bad.toml')))).toMatchObject({
      name: 'ConfigException',
      message: expect.stringContaining('`notify.sinks[0]`') as string,
    });
    expect((await failed(AutomationConfig.load(at('none.toml')))).name).toBe('ConfigException');
    writeFileSync(at('bad.toml'), 'other = 1\n');
    const config = await AutomationConfig.load(at('bad.toml'));
    expect(() => config.section('other')).toThrow('it must be a table');
  });

  it('loads again what has changed', async () => {
    writeFileSync(at('w.toml'), text('https://x.example/1'));
    const seen: unknown[] = [];
    const broken: unknown[] = [];
    await using watcher = new ConfigWatcher(at('w.toml'), (config) => void seen.push(config.section('more')['n']), {
      interval: 0.02,
      provider,
      on_broken: (error) => broken.push(error),
    });
    expect((await watcher.start()).section('other')).toEqual({ key: 'very secret' });
    appendFileSync(at('w.toml'), '[more]\nn = 2\n');
    await until(() => seen.length > 0);
    await watcher.stop();
    expect(await watcher.check_once()).toBe(false);
    appendFileSync(at('w.toml'), '[broken\n');
    expect([await watcher.check_once(), await watcher.check_once(), seen, broken.length]).toEqual([
      false,
      false,
      [2],
      1,
    ]);
    expect(() => new ConfigWatcher(at('w.toml'), () => undefined, { interval: 0 })).toThrow('more than 0');
  });
});

describe('create_project_dir', () => {
  it('makes a starter project', async () => {
    expect(await create_project_dir(at('projects'), { parent_name: 'shop' })).toBeNull();
    expect(readdirSync(at('projects/shop')).sort()).toEqual(['executor', 'keyword']);
    expect(await new ProjectBuilder(at('projects'), 'other').build()).toBeNull();
    expect(readdirSync(at('projects')).sort()).toEqual(['other', 'shop']);
  });
});
