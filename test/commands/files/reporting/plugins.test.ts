import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { pluginFiles } from '#compiler/cli/create/plugin-files.ts';
import { ActionExecutor, load_entry_point_plugins, type Functions } from '#compiler/library/files.ts';

import { commandLine } from '../../../built.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { session, type SessionOptions } from '../../session.ts';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'svc-plugins-')));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

interface Package {
  readonly actions?: unknown;
  readonly commands?: unknown;
  readonly code?: string;
}

/** Installs packages, as `npm install` would leave them. */
async function installed(packages: Readonly<Record<string, Package>>): Promise<void> {
  const dependencies = Object.fromEntries(Object.keys(packages).map((name) => [name, '1.0.0']));
  await writeFile(join(root, 'package.json'), JSON.stringify({ dependencies }));
  for (const [name, { actions = './actions.mjs#register', code = '', commands }] of Object.entries(packages)) {
    const home = join(root, 'node_modules', name);
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'package.json'), JSON.stringify({ name, version: '1.0.0', svc: { actions, commands } }));
    await writeFile(join(home, 'actions.mjs'), code);
  }
}

const gives = (map: string): string => `export const register = () => (${map});`;

async function listed(
  settings: SessionOptions['settings'] = { gates: { packages: true } },
): Promise<readonly Listed[]> {
  await using unit = await session({ root, settings });
  return (await unit.call('FA_plugin_list')) as readonly Listed[];
}
interface Listed {
  readonly name: string;
  readonly commands: readonly string[];
  readonly error: string | null;
}

describe('FA_plugin_list', () => {
  test('lists plugins by name with version, commands and effects, and passes over other packages', async () => {
    await installed({
      '@shop/tools': {
        code: gives(`{ shop_b: () => 1, shop_a: { run: () => 2, effects: ['network'], summary: 'x' } }`),
      },
      later: { code: 'export async function register() { return new Map([["later_one", () => 1]]); }' },
    });
    await mkdir(join(root, 'node_modules', 'plain'));
    await writeFile(join(root, 'node_modules', 'plain', 'package.json'), '{}');
    const target = './actions.mjs#register';
    const version = '1.0.0';
    expect(await listed()).toEqual([
      {
        name: '@shop/tools',
        version,
        target,
        commands: ['shop_a', 'shop_b'],
        effects: { shop_a: ['network'] },
        error: null,
      },
      { name: 'later', version, target, commands: ['later_one'], effects: {}, error: null },
    ]);
  });

  test.each([
    ['does not load', { code: 'throw new Error("broken on purpose")' }, 'broken on purpose'],
    ['ends the process', { code: 'process.exit(0); export const register = 1' }, 'it called process.exit(0)'],
    [
      'ends the process when it is asked, and catches what comes of it',
      {
        code: "import { exit } from 'node:process'; export const register = () => { try { exit(); } catch {} return {}; }",
      },
      'it called process.exit()',
    ],
    ['is no JavaScript', { code: 'export const = 1' }, 'SyntaxError'],
    ['has no such function', { code: 'export const other = 1' }, 'no function "register"'],
    ['fails', { code: 'export const register = () => { throw new Error("no"); }' }, 'no'],
    ['gives no map', { code: gives('[1]') }, 'no map'],
    ['gives nothing', { code: gives('undefined') }, 'no map'],
    ['gives a value that is none', { code: gives('{ ok: () => 1, bad: 3 }') }, '"bad" is neither'],
    ['has a name that is none', { code: gives(`{ ok: () => 1, 'a b': () => 1 }`) }, 'no command name'],
    ['takes a name of ours', { code: gives('{ FA_copy_file: () => 1 }') }, 'standard library'],
    ['has effects that nobody knows', { code: gives(`{ x: { run: () => 1, effects: ['magic'] } }`) }, 'may hold'],
    ['has no file', { actions: './none.mjs#register' }, 'no file'],
    ['names a file outside', { actions: './../good/actions.mjs#register' }, 'leads out'],
    ['names no function', { actions: './actions.mjs' }, 'form'],
    ['names no text', { actions: 7 }, 'no text'],
    ['lists what it does not give', { commands: ['ok', 'more'], code: gives('{ ok: () => 1 }') }, 'lists "more"'],
    [
      'declares what it does not give',
      { commands: { ok: {}, more: {} }, code: gives('{ ok: () => 1 }') },
      'lists "more"',
    ],
    ['gives what it does not list', { commands: [], code: gives('{ ok: () => 1 }') }, 'lacks "ok"'],
    ['lists no names', { commands: 7, code: gives('{ ok: () => 1 }') }, 'neither a list of names'],
  ])('names a plugin that %s, leaves it out whole, and keeps the others', async (_what, broken, words) => {
    await installed({ broken, good: { code: gives('{ good_one: () => 1 }') } });
    const [bad, good] = await listed();
    expect(bad).toMatchObject({ name: 'broken', commands: [] });
    expect(bad?.error).toContain(words);
    expect(good).toMatchObject({ name: 'good', commands: ['good_one'], error: null });
  });

  test('leaves out a plugin that is never done with loading, and the process may end as before', async () => {
    const forever = 'await new Promise((resolve) => setTimeout(resolve, 60_000).unref());';
    await installed({ broken: { code: forever }, good: { code: gives('{ good_one: () => 1 }') } });
    const { exit } = process;
    const [bad, good] = await listed({ gates: { packages: true }, limits: { module_seconds: 1 } });
    expect(bad).toMatchObject({ commands: [], error: 'it did not say within 1 s what it has' });
    expect(good).toMatchObject({ commands: ['good_one'], error: null });
    expect(process.exit).toBe(exit);
  });

  test('lets the process end as before where several load at once', async () => {
    await installed({
      a: { code: 'await 1; export const register = async () => ({})' },
      b: { code: 'process.exit(1)' },
    });
    const { exit } = process;
    for (const list of await Promise.all([listed(), listed(), listed()]))
      expect(list.map(({ error }) => error)).toEqual([null, 'it called process.exit(1) while it was loaded']);
    expect(process.exit).toBe(exit);
  });

  test('refuses a name that an earlier plugin has, and a link that leads out of its package', async () => {
    await installed({ a: { code: gives('{ same: () => 1 }') }, b: { code: gives('{ same: () => 2 }') }, c: {} });
    await rm(join(root, 'node_modules', 'c', 'actions.mjs'));
    await symlink('../a/actions.mjs', join(root, 'node_modules', 'c', 'actions.mjs'));
    expect((await listed()).map(({ error }) => error)).toEqual([
      null,
      '"same" is a command of "a" already',
      '"./actions.mjs" leads out of the package',
    ]);
  });

  test('loads nothing that is not allowed', async () => {
    await installed({ a: { code: gives('{ a_one: () => 1 }') }, b: { code: 'globalThis.evil = true;' } });
    const [allowed, refused] = await listed({ gates: { packages: true }, allow_packages: ['a'] });
    expect(allowed).toMatchObject({ commands: ['a_one'], error: null });
    expect(refused?.error).toContain('allow_packages');
    expect(globalThis).not.toHaveProperty('evil');
    await expect(listed({ gates: { packages: false } })).rejects.toMatchObject({ facts: { code: 'SVC80024' } });
  });

  test('is empty without a project', async () => {
    expect(await listed()).toEqual([]);
  });
});

test.skipIf(lacks('npm'))('a plugin in its published form is installed from a tarball and runs', async () => {
  const [source, project] = [join(root, 'hello-tools'), join(root, 'project')];
  for (const folder of [source, project]) await mkdir(folder);
  for (const [name, text] of Object.entries(pluginFiles('hello-tools'))) await writeFile(join(source, name), text);
  const npm = (args: readonly string[], cwd: string): void =>
    void execFileSync('npm', [...args, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd,
      stdio: 'pipe',
      env: { ...process.env, npm_config_cache: join(root, 'cache'), npm_config_userconfig: join(root, 'npmrc') },
    });
  npm(['pack', '--pack-destination', root], source);
  const tarball = (await readdir(root)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(join(project, 'package.json'), '{}');
  npm(['install', join(root, tarball)], project);
  await rm(source, { recursive: true });
  const executor = new ActionExecutor();
  const register = (commands: Functions): void => executor.add_command_to_executor(commands);
  expect(await load_entry_point_plugins(register, { host: nodeHost({ cwd: project }) })).toBe(1);
  const results = await executor.execute_action([['hello_tools_greet', { name: 'Ada' }]]);
  expect(JSON.stringify(results)).toContain('Hello Ada');
  await using unit = await session({ root: project, settings: { gates: { packages: true } } });
  expect(await unit.call('FA_plugin_list')).toMatchObject([
    {
      name: 'hello-tools',
      version: '0.1.0',
      commands: ['hello_tools_greet'],
      effects: { hello_tools_greet: ['pure'] },
    },
  ]);
  await usedByFiles(project);
});

/** Checks, plans, lints and runs files that call the commands of the plugin. */
async function usedByFiles(project: string): Promise<void> {
  const greet = '{ hello_tools_greet: { name: Ada }, expect: result == "Hello Ada" }';
  const head = 'meta: { modules: [hello-tools] }\nactions:\n';
  const texts = {
    'good.yaml': `${head}- ${greet}\n- { hello_tools_greet: ['\${env:USER:-Ada}'] }\n`,
    'step.yaml': `- [FA_add_package_to_executor, { package: hello-tools }]\n- ${greet}\n`.replace('FA_', 'AT_'),
    'wrong.yaml': `${head}- hello_tools_greed: { name: Ada }\n- other_greet: {}\n`,
    'misfit.yaml': `${head}- hello_tools_greet: { nme: Ada }\n- hello_tools_greet: { name: '' }\n- [hello_tools_greet, [7]]\n- hello_tools_greet: {}\n- [hello_tools_greet, [Ada, Eva]]\n`,
  };
  await writeFile(join(project, 'svc.config.yaml'), 'allow_packages: [hello-tools]\n');
  for (const [name, text] of Object.entries(texts)) await writeFile(join(project, name), text);
  const svc = (...args: readonly string[]) =>
    spawnSync(process.execPath, [...commandLine, ...args], { cwd: project, encoding: 'utf8' });
  expect(svc('check', 'good.yaml', 'step.yaml').status).toBe(0);
  const wrong = svc('check', 'wrong.yaml');
  expect(wrong.status).not.toBe(0);
  expect(wrong.stdout + wrong.stderr).toContain('hello_tools_greet');
  expect(wrong.stdout + wrong.stderr).toContain('other_greet');
  const misfit = JSON.parse(svc('check', 'misfit.yaml', '--json').stdout) as { diagnostics: { code: string }[] };
  expect(misfit.diagnostics.map(({ code }) => code)).toEqual([
    'SVC60002',
    'SVC60009',
    'SVC60004',
    'SVC60001',
    'SVC40003',
  ]);
  const planned = svc('plan', 'good.yaml', '--json');
  expect(JSON.parse(planned.stdout)).toMatchObject({ units: [{ modules: ['hello-tools'] }] });
  expect(svc('lint', 'good.yaml').status).toBe(0);
  const done = svc('run', 'good.yaml', 'step.yaml');
  expect(done.stdout + done.stderr).toContain('4 passed');
}
