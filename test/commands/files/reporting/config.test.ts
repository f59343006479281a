import { appendFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { inspect } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fakeClock } from '#runtime/hosts/memory/clock.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { AutomationConfig } from '#runtime/services/config/automation-config.ts';
import { ConfigWatcher } from '#runtime/services/config/config-watcher.ts';
import {
  ChainedSecretProvider,
  EnvSecretProvider,
  FileSecretProvider,
} from '#runtime/services/secret-providers/providers.ts';

import { failureOf, openPlace, type Place } from '../call-here.ts';
import { session, type Session } from '../../session.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const { files } = nodeHost();
const path = (): string => place.path('c.toml');
const put = (text: string): void => writeFileSync(path(), text);
const chain = (root: string | null): ChainedSecretProvider =>
  new ChainedSecretProvider([
    new EnvSecretProvider({ TOKEN: 'from the environment', URL: 'https://hooks.example.test/a' }),
    ...(root === null ? [] : [new FileSecretProvider(files, place.path(root))]),
  ]);
const load = async (text: string): Promise<AutomationConfig> => {
  put(text);
  return AutomationConfig.load({ files, chain }, path());
};
const hook = (name: string, rest = 'url = "http://127.0.0.1:9/x"'): string =>
  `[[notify.sinks]]\ntype = "webhook"\nname = "${name}"\n${rest}\n`;

describe('a configuration file', () => {
  it('is found with its references resolved', async () => {
    await mkdir(place.path('secrets'));
    await writeFile(place.path('secrets/pass'), 'open sesame\n', { mode: 0o600 });
    const config = await load(
      `[secrets]\nfile_root = "secrets"\n[defaults]\ndedup_seconds = "1.5"\n[[notify.sinks]]\ntype = "slack"\nwebhook_url = "\${env:URL}"\n[other]\na = ["\${env:TOKEN}!", { b = "\${file:pass}" }]\nwhen = 2024-05-01\n`,
    );
    expect(config.summary).toEqual({ source: path(), sinks: ['chat'], dedupSeconds: 1.5 });
    expect(config.sinks).toEqual([
      { type: 'slack', name: null, options: { webhook_url: 'https://hooks.example.test/a' } },
    ]);
    expect(config.section('other')['a']).toEqual(['from the environment!', { b: 'open sesame' }]);
    expect(config.section('nothing')).toEqual({});
    expect(config.unknownSections).toEqual(['other']);
  });

  it('shows no value, however it is printed', async () => {
    const config = await load('[other]\na = "${env:TOKEN}"\n');
    for (const shown of [
      JSON.stringify(config),
      inspect(config, { depth: null, showHidden: true }),
      String(config),
      JSON.stringify({ ...config }),
    ])
      expect(shown).not.toContain('environment');
    expect(config.raw).toEqual({ other: { a: 'from the environment' } });
  });

  it('may be empty', async () => {
    expect((await load('# nothing yet\n')).summary).toEqual({ source: path(), sinks: [], dedupSeconds: null });
  });

  it.each([
    ['[secrets]\nfile_roots = "x"', 'secrets.file_roots', '"secrets" knows only file_root'],
    ['[secrets]\nfile_root = "${env:TOKEN}"', 'secrets.file_root', 'no references'],
    ['[secrets]\nfile_root = 1', 'secrets.file_root', 'a text'],
    ['secrets = 1', 'secrets', 'a table'],
    ['notify = []', 'notify', 'a table'],
    ['[notify]\nsinks = "x"', 'notify.sinks', 'a list of tables'],
    ['[notify]\nsinks = [1]', 'notify.sinks[0]', 'a table'],
    ['[[notify.sinks]]\nname = "x"', 'notify.sinks[0].type', 'one of chat, discord, email'],
    ['[[notify.sinks]]\ntype = "sms"', 'notify.sinks[0].type', 'one of chat, discord, email'],
    ['[[notify.sinks]]\ntype = "chat"\nname = ""', 'notify.sinks[0].name', 'a text'],
    [
      '[[notify.sinks]]\ntype = "chat"\n[[notify.sinks]]\ntype = "slack"',
      'notify.sinks[1].name',
      'another sink named "chat"',
    ],
    ['[defaults]\ndedup_seconds = -1', 'defaults.dedup_seconds', '0 or more'],
    ['[defaults]\ndedup_seconds = "soon"', 'defaults.dedup_seconds', '0 or more'],
    ['[defaults]\ndedup_seconds = inf', 'defaults.dedup_seconds', '0 or more'],
    ['[defaults]\ndedup = 1', 'defaults.dedup', 'knows only dedup_seconds'],
  ])('%j does not fit', async (text, key, reason) => {
    const { facts } = await failureOf(load(text));
    expect([
      facts.code,
      facts.name,
      facts.message.includes(`\`${key}\``),
      facts.message.includes(reason),
      facts.message.includes('c.toml'),
    ]).toEqual(['SVC87203', 'ConfigException', true, true, true]);
  });

  it('that cannot be read says why, without what stands in it', async () => {
    const reason = async (work: Promise<unknown>): Promise<string> => {
      const { facts } = await failureOf(work);
      expect([facts.code, facts.name]).toEqual(['SVC87202', 'ConfigException']);
      return facts.message;
    };
    expect(await reason(load('[a]\npassword = "secret\nb = 1'))).toMatch(/line 2, column \d+/);
    expect(await reason(load('a = "secret"\na = "secret"'))).not.toContain('secret');
    put('');
    writeFileSync(path(), Buffer.from([0x61, 0xff]));
    expect(await reason(AutomationConfig.load({ files, chain }, path()))).toContain('not UTF-8');
    writeFileSync(path(), 'a'.repeat(1024 * 1024 + 1));
    expect(await reason(AutomationConfig.load({ files, chain }, path()))).toContain('larger than');
    expect(await reason(AutomationConfig.load({ files, chain }, place.root))).toContain('no file');
    expect(await reason(AutomationConfig.load({ files, chain }, place.path('nothing')))).toContain('nothing');
  });

  it('with a reference that nobody knows is not used', async () => {
    for (const reference of ['${env:NONE}', '${file:x}', '${vault:x}'])
      expect((await failureOf(load(`[a]\nb = "${reference}"`))).facts.name).toBe('SecretNotFoundException');
  });
});

describe('putting it to use', () => {
  const unit = (): Promise<Session> => session({ settings: { gates: { private: true } }, root: place.root });
  const sinks = async (at: Session): Promise<readonly string[]> =>
    ((await at.call('FA_notify_list')) as readonly { name: string }[]).map(({ name }) => name);

  it('replaces sinks of the same names, keeps others, and removes those that the file has lost', async () => {
    await using at = await unit();
    await at.call('FA_notify_register', { type: 'webhook', name: 'own', options: { url: 'http://127.0.0.1:9/own' } });
    put(hook('a') + hook('b') + '[defaults]\ndedup_seconds = 5\n');
    expect(await at.call('FA_config_load', { path: path() })).toEqual({
      source: path(),
      sinks: ['a', 'b'],
      dedup_seconds: 5,
    });
    expect(await sinks(at)).toEqual(['own', 'a', 'b']);
    put(hook('b') + hook('cc'));
    expect(await at.call('FA_config_reload')).toBe(true);
    expect((await sinks(at)).toSorted()).toEqual(['b', 'cc', 'own']);
    expect(await at.call('FA_config_reload')).toBe(false);
  });

  it('is all or nothing', async () => {
    await using at = await unit();
    put(hook('a'));
    await at.call('FA_config_load', { path: path() });
    for (const wrong of [
      'timeout = 5',
      'url = "ftp://127.0.0.1/x"',
      'url = "http://127.0.0.1:9/x"\ntimeout = 0',
      'url = "http://127.0.0.1:9/x"\nadress = "x"',
    ]) {
      put(hook('b') + hook('c', wrong));
      const { facts } = await failureOf(at.call('FA_config_load', { path: path() }));
      expect([facts.code, facts.message.includes('`notify.sinks[1]`'), await sinks(at)]).toEqual([
        'SVC87203',
        true,
        ['a'],
      ]);
    }
  });

  it('refuses addresses of this machine where they are not allowed', async () => {
    await using at = await session({ settings: { gates: { private: false } }, root: place.root });
    put(hook('a'));
    expect((await failureOf(at.call('FA_config_load', { path: path() }))).facts.code).toBe('SVC87203');
    expect(await at.call('FA_config_load', { path: path(), apply: false })).toMatchObject({ sinks: ['a'] });
    expect(await sinks(at)).toEqual([]);
  });

  it('masks what the file holds for sinks', async () => {
    await using at = await unit();
    put('[[notify.sinks]]\ntype = "pagerduty"\nrouting_key = "a-very-secret-key"\n');
    await at.call('FA_config_load', { path: path(), apply: false });
    expect(at.work.run.masker.text('a-very-secret-key')).toBe('***');
    put('[[notify.sinks]]\ntype = "telegram"\nbot_token = "another secret!"\nchat_id = 1\n');
    expect((await failureOf(at.call('FA_config_load', { path: path() }))).message).not.toContain('another secret');
  });

  it('of a file that is gone or broken leaves everything as it was', async () => {
    await using at = await unit();
    put(hook('a'));
    await at.call('FA_config_load', { path: path() });
    for (const broken of ['[broken', hook('b') + '[defaults]\nx = 1', undefined]) {
      if (broken === undefined) rmSync(path());
      else put(broken);
      expect([await at.call('FA_config_reload'), await at.call('FA_config_reload'), await sinks(at)]).toEqual([
        false,
        false,
        ['a'],
      ]);
    }
    put(hook('d'));
    expect([await at.call('FA_config_reload'), await sinks(at)]).toEqual([true, ['d']]);
  });

  it('needs a file first', async () => {
    await using at = await unit();
    expect((await failureOf(at.call('FA_config_reload'))).facts).toMatchObject({
      code: 'SVC87204',
      name: 'ConfigException',
    });
    expect(await at.call('FA_config_watch_stop')).toBe(false);
  });

  it('happens by itself while the file is watched', async () => {
    const clock = fakeClock(Date.now());
    await using at = await session({
      host: { ...nodeHost(), clock },
      settings: { gates: { private: true } },
      root: place.root,
    });
    put(hook('a'));
    expect(await at.call('FA_config_watch_start', { path: path(), interval: 2 })).toMatchObject({ sinks: ['a'] });
    const passing = async (seconds: number): Promise<readonly string[]> => {
      // Files are real: they take their own time.
      for (let count = 0; count < seconds; count += 1) {
        await clock.advance(1000);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return sinks(at);
    };
    put(hook('b') + hook('c'));
    // Seen at the first look, taken at the next, when it is the same still.
    expect(await passing(2)).toEqual(['a']);
    expect(await passing(2)).toEqual(['b', 'c']);
    put(hook('x') + '[broken');
    expect(await passing(6)).toEqual(['b', 'c']);
    rmSync(path());
    expect(await passing(6)).toEqual(['b', 'c']);
    put(hook('d'));
    expect(await passing(6)).toEqual(['d']);
    expect(await at.call('FA_config_watch_stop')).toBe(true);
    put(hook('e') + hook('f'));
    expect(await passing(6)).toEqual(['d']);
    expect(await at.call('FA_config_reload')).toBe(true);
    expect(clock.waiting).toEqual([]);
  });

  it('is a matter of a function where one is named', async () => {
    const clock = fakeClock(Date.now());
    await writeFile(
      place.path('mine.mjs'),
      'import { appendFileSync } from "node:fs";\nexport const changed = (config) => appendFileSync(new URL("seen", import.meta.url), `${config.section("other").a} ${config.summary.sinks}\\n`);\n',
    );
    await using at = await session({
      host: { ...nodeHost(), clock },
      settings: { gates: { private: true, packages: true } },
      root: place.root,
    });
    put(hook('a') + '[other]\na = "one"\n');
    await at.call('FA_config_watch_start', { path: path(), interval: 1, on_change: 'mine.mjs#changed' });
    put(hook('bb') + '[other]\na = "two"\n');
    for (let count = 0; count < 4; count += 1) {
      await clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(new TextDecoder().decode(await files.read(place.path('seen')))).toBe('two bb\n');
    expect(await sinks(at)).toEqual([]);
  });
});

describe('a watch', () => {
  it('leaves a file alone that is still being written, and tries a broken one once', async () => {
    const clock = fakeClock(0);
    const taken: string[] = [];
    const broken: unknown[] = [];
    put('[a]\nb = 1\n');
    const watcher = new ConfigWatcher(
      { files, chain, clock, onBroken: (error) => broken.push(error) },
      { path: path(), intervalMs: 1000, onChange: (config) => void taken.push(JSON.stringify(config.raw)) },
    );
    await watcher.load();
    watcher.watch();
    const look = async (): Promise<void> => {
      await clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    };
    put('[a]\nb = 2\n[');
    await look();
    appendFileSync(path(), 'c]\n');
    await look();
    await look();
    expect([taken, broken]).toEqual([['{"a":{"b":2},"c":{}}'], []]);
    put('[broken');
    for (let count = 0; count < 5; count += 1) await look();
    expect(broken).toHaveLength(1);
    // The same bytes at another time are another change.
    utimesSync(path(), 1000, 1000);
    for (let count = 0; count < 3; count += 1) await look();
    expect(broken).toHaveLength(2);
    await watcher.stop();
    expect(clock.waiting).toEqual([]);
  });
});
