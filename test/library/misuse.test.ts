import { setTimeout as wait } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  ActionExecutor,
  AutomationConfig,
  CallbackExecutor,
  ChainedSecretProvider,
  ConfigWatcher,
  CronExpression,
  default_manager,
  execute_action,
  execute_action_parallel,
  init_tracing,
  IntegrityMonitor,
  load_entry_point_plugins,
  NotificationManager,
  Quota,
  RateLimiter,
  resolve_secret_refs,
  retry_on_transient,
  shutdown_tracing,
  validate_action,
  write_action_json,
} from '#compiler/library/files.ts';
import { nodeHost } from '#runtime/hosts/node.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-library-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('guards refuse what can never be right', () => {
  it('waits below 0, and those that are no number', () => {
    for (const seconds of [-1, NaN]) {
      expect(() => retry_on_transient({ backoff_base: seconds })).toThrow(RangeError);
      expect(() => retry_on_transient({ backoff_cap: seconds })).toThrow(RangeError);
    }
  });

  it('limits and sizes that are no number: nothing would ever be above them', async () => {
    expect(() => new Quota({ max_bytes: NaN })).toThrow(RangeError);
    expect(() => new Quota({ max_seconds: Number('ten') })).toThrow(RangeError);
    const quota = new Quota({ max_bytes: 10 });
    expect(() => quota.check_size(NaN)).toThrow(RangeError);
    const sized = quota.wraps('upload', { size_fn: (result: { length?: number }) => result.length as number });
    await expect(sized(() => ({}))()).rejects.toThrow('the size of upload must be a number');
  });

  it('time limits of a wait', async () => {
    for (const timeout of [-1, NaN])
      await expect(new RateLimiter(1).acquire({ timeout })).rejects.toBeInstanceOf(RangeError);
  });
});

it('a time budget that ended in time is not judged again when its block is left later', async () => {
  const block = async (): Promise<string> => {
    using budget = new Quota({ max_seconds: 0.05 }).time_budget();
    budget.end();
    await wait(100);
    return 'in time';
  };
  expect(await block()).toBe('in time');
});

describe('lists that are none', () => {
  it('are refused by the names of the specification', async () => {
    const none = undefined as never;
    await expect(execute_action(none)).rejects.toMatchObject({ name: 'ExecuteActionException' });
    await expect(execute_action_parallel(none)).rejects.toMatchObject({ name: 'ExecuteActionException' });
    await expect(validate_action(none)).rejects.toThrow(/an action file is a list/i);
  });

  it('are refused where they cannot be told as JSON', async () => {
    const around: unknown[] = [['FA_create_dir', ['x']]];
    around.push(around);
    let deep: unknown[] = [['FA_create_dir', ['x']]];
    for (let depth = 0; depth < 20_000; depth += 1) deep = [['FA_if_exists', { path: '.', then: deep }]];
    for (const list of [around, deep, [['FA_create_dir', [1n]]]]) {
      await expect(execute_action(list as never)).rejects.toMatchObject({ name: 'ValidationException' });
      await expect(validate_action(list as never)).rejects.toMatchObject({ name: 'ValidationException' });
    }
  });

  it('are not written', async () => {
    const path = join(root, 'actions.json');
    const holes: number[] = [];
    holes[1] = 2;
    let deep: unknown[] = [];
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
    for (const content of [holes, deep])
      await expect(write_action_json(path, content as never)).rejects.toMatchObject({ name: 'JsonActionException' });
    expect(existsSync(path)).toBe(false);
  });
});

it('a callback whose parameters are a text is refused before the command runs', async () => {
  const path = join(root, 'made');
  const called = new CallbackExecutor().callback_function('FA_create_dir', () => undefined, {
    kwargs: { dir_path: path },
    callback_function_param: 'text' as never,
  });
  await expect(called).rejects.toMatchObject({ name: 'CallbackExecutorException' });
  expect(existsSync(path)).toBe(false);
});

it('a provider that answers with undefined does not know the secret', async () => {
  const vault = { scheme: 'vault', get: async (name: string) => new Map([['known', 'v']]).get(name) as string };
  expect(await resolve_secret_refs('${vault:known}', vault)).toBe('v');
  await expect(resolve_secret_refs('${vault:other}', vault)).rejects.toMatchObject({ name: 'SecretNotFoundException' });
  expect(await new ChainedSecretProvider([vault]).get('other')).toBeNull();
});

it('CronExpression takes neither a missing text nor a day that there is not', () => {
  expect(() => CronExpression.parse(undefined as never)).toThrow(expect.objectContaining({ name: 'CronException' }));
  const midnight = CronExpression.parse('0 0 * * *');
  expect(midnight.matches('2024-02-29T00:00')).toBe(true);
  for (const moment of ['2024-02-30T00:00', '2023-02-29T00:00'])
    expect(() => midnight.matches(moment)).toThrow('local date and time');
});

describe('IntegrityMonitor', () => {
  it('tells the manager of the process where none is given', async () => {
    const told: string[] = [];
    default_manager().register({ name: 'own', send: async (subject) => void told.push(subject) });
    try {
      await new IntegrityMonitor(root, join(root, 'none.json')).check_once();
    } finally {
      default_manager().unregister('own');
    }
    expect(told).toEqual([`integrity drift: ${root}`]);
  });

  it('goes on where a manager throws instead of rejecting', async () => {
    const manager = {
      notify: (): never => {
        throw new Error('no service');
      },
    };
    const monitor = new IntegrityMonitor(root, join(root, 'none.json'), { manager });
    expect(await monitor.check_once()).toMatchObject({ ok: false });
  });
});

describe('configurations', () => {
  const sink = (name: string): string =>
    `[[notify.sinks]]\ntype = "chat"\nname = "${name}"\nwebhook_url = "https://x.example/${name}"\n`;

  it('take sinks away that a later version of the file has no more, and no others', async () => {
    const path = join(root, 'c.toml');
    const manager = new NotificationManager();
    const names = async (...given: readonly string[]): Promise<readonly string[]> => {
      await writeFile(path, given.map(sink).join(''));
      await (await AutomationConfig.load(path)).apply_to(manager);
      return manager.list().map(({ name }) => name);
    };
    manager.register({ name: 'mine', send: () => Promise.resolve() });
    expect(await names('a', 'b', 'c')).toEqual(['mine', 'a', 'b', 'c']);
    manager.register({ name: 'c', send: () => Promise.resolve() });
    expect(await names('b')).toEqual(['mine', 'b', 'c']);
  });

  it('are watched on where the function that hears of a broken file throws', async () => {
    const path = join(root, 'w.toml');
    await writeFile(path, 'a = 1\n');
    const seen: unknown[] = [];
    await using watcher = new ConfigWatcher(path, (config) => void seen.push(config.raw['a']), {
      interval: 0.02,
      on_broken: () => {
        throw new Error('no log');
      },
    });
    await watcher.start();
    await writeFile(path, 'a = \n');
    await wait(200);
    await writeFile(path, 'a = 3333\n');
    for (let left = 100; left > 0 && seen.length === 0; left -= 1) await wait(20);
    expect(seen).toEqual([3333]);
  });

  it('can be stopped by what hears of a change', async () => {
    const path = join(root, 's.toml');
    await writeFile(path, 'a = 1\n');
    const stopped = Promise.withResolvers<string>();
    const watcher = new ConfigWatcher(
      path,
      async () => {
        await watcher.stop();
        stopped.resolve('stopped');
      },
      { interval: 0.02 },
    );
    await watcher.start();
    await writeFile(path, 'a = 22\n');
    expect(await stopped.promise).toBe('stopped');
  }, 15_000);
});

it('init_tracing tells of an exporter that there is not by the name of the specification', async () => {
  for (const exporter of ['none', './none.mjs#make'])
    await expect(init_tracing({ exporter })).rejects.toMatchObject({ name: 'TracingException' });
  expect(await shutdown_tracing()).toBe(false);
});

it('ActionExecutor runs graphs of its functions', async () => {
  const executor = new ActionExecutor({ one: () => 1 });
  expect(await executor.execute_action_dag([{ id: 'a', action: ['one'] }])).toMatchObject({
    a: { status: 'ok', value: 1 },
  });
});

it('plugins that are broken or refused are left out with a warning, whenever the function refuses them', async () => {
  await writeFile(join(root, 'package.json'), '{"dependencies":{"good":"1","broken":"1"}}');
  for (const [name, code] of [
    ['good', 'export const register = () => ({ good_one: () => 1 });'],
    ['broken', 'export const register = () => 5;'],
  ] as const) {
    const folder = join(root, 'node_modules', name);
    await mkdir(folder, { recursive: true });
    const facts = { name, version: '1.0.0', type: 'module', svc: { actions: './a.js#register' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(facts));
    await writeFile(join(folder, 'a.js'), code);
  }
  const warned: string[] = [];
  const hear = (warning: Error): void => void (warning.name === 'PluginWarning' && warned.push(warning.message));
  process.on('warning', hear);
  try {
    const refuse = async (): Promise<void> => Promise.reject(new Error('not today'));
    expect(await load_entry_point_plugins(refuse, { host: nodeHost({ cwd: root }) })).toBe(0);
    await wait(10);
  } finally {
    process.off('warning', hear);
  }
  expect(warned).toEqual([
    'The plugin "broken" was left out: it gives no map of commands',
    'The plugin "good" was left out: not today',
  ]);
});

it('a function that rejects with nothing has failed', async () => {
  const executor = new ActionExecutor({ nothing: () => Promise.reject(), named: () => Promise.reject(new Error('x')) });
  const results = Object.values(await executor.execute_action([['nothing'], ['named']]));
  expect(results.map(({ status, error }) => [status, error?.message])).toEqual([
    ['error', 'nothing broke: it failed and does not say why'],
    ['error', 'named broke: x'],
  ]);
});
