import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { built, root } from '../built.ts';
import { makePrograms, projectOf, removeProject } from '../emit/make-programs.ts';
import { lacks } from '../fixtures/programs.ts';

const evil = "require('node:fs').writeFileSync('owned.txt', 'x'); exports.chromium = {};";
const browser = '- WR_pw_launch: { headless: true }\n';
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const version = dependencies['playwright-core'] ?? '';

const folders: string[] = [];
beforeAll(built, 300_000);
afterAll(() => folders.forEach(removeProject));

async function programOf(actions: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = projectOf({ 'a.yaml': actions, ...more });
  folders.push(folder);
  const { diagnostics } = await makePrograms(folder, ['a.yaml']);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return folder;
}

function run(
  folder: string,
  ...more: readonly string[]
): { readonly status: number | null; readonly output: string; readonly owned: boolean } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/a.mjs', ...more], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, output: stdout + stderr, owned: existsSync(path.join(folder, 'owned.txt')) };
}

function install(folder: string, name: string, facts: object, code: string): void {
  const home = path.join(folder, 'node_modules', name);
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'package.json'), JSON.stringify({ name, main: 'index.js', ...facts }));
  writeFileSync(path.join(home, 'index.js'), code);
}

describe('a package that a program imports', () => {
  it('is never one that a step wrote', async () => {
    const folder = await programOf(`
- FA_create_dir: { dir_path: node_modules/playwright-core }
- FA_create_file: { file_path: node_modules/playwright-core/package.json, content: '{"name":"playwright-core","version":"${version}","main":"index.js"}' }
- FA_create_file: { file_path: node_modules/playwright-core/index.js, content: ${JSON.stringify(evil)} }
${browser}`);
    const { status, owned, output } = run(folder);
    expect([status, owned], output).toEqual([1, false]);
    expect(existsSync(path.join(folder, 'node_modules/playwright-core/index.js')), output).toBe(true);
  });

  it('is not what a step made of it', async () => {
    const folder = await programOf(
      `- FA_create_file: { file_path: node_modules/playwright-core/index.js, content: ${JSON.stringify(evil)} }\n${browser}`,
    );
    install(folder, 'playwright-core', { version }, 'exports.chromium = {};');
    const { status, owned, output } = run(folder);
    expect([status, owned, output.includes('was written while the run went on')], output).toEqual([1, false, true]);
  });

  it('is not another folder that a step put in its place', async () => {
    const folder = await programOf(
      `- FA_remove_dir_tree: { dir_path: node_modules/playwright-core }\n- FA_rename_dir: { origin_dir_path: evil, target_dir: node_modules/playwright-core }\n${browser}`,
    );
    install(folder, 'playwright-core', { version }, 'exports.chromium = {};');
    install(folder, 'other', { version }, evil);
    renameSync(path.join(folder, 'node_modules/other'), path.join(folder, 'evil'));
    const { status, owned, output } = run(folder);
    expect([status, owned], output).toEqual([1, false]);
  });

  it('has the version of the manifest, or nothing runs', async () => {
    const folder = await programOf(`- FA_create_file: { file_path: began.txt, content: x }\n${browser}`);
    install(folder, 'playwright-core', { version: '0.0.1' }, evil);
    const { status, owned, output } = run(folder);
    expect([status, owned, existsSync(path.join(folder, 'began.txt'))], output).toEqual([2, false, false]);
    expect(output).toMatch(
      new RegExp(
        `playwright-core.*0\\.0\\.1.*${version.replaceAll('.', '\\.')}|playwright-core.*${version.replaceAll('.', '\\.')}.*0\\.0\\.1`,
      ),
    );
  });

  it.skipIf(lacks('chromium'))('is found where it stands when nobody has touched it', async () => {
    const folder = await programOf(browser);
    install(
      folder,
      'playwright-core',
      { version },
      "exports.chromium = { launch: () => { throw new Error('this one'); } };",
    );
    expect(run(folder).output).toContain('this one');
  });
});

describe('a package that an action file calls', () => {
  const actions = 'meta: { modules: ["shop-tools"] }\nactions:\n- shop_tools_one\n';

  it('has the version of the manifest, or nothing runs', async () => {
    const folder = projectOf({ 'a.yaml': actions });
    folders.push(folder);
    install(folder, 'shop-tools', { version: '1.0.0' }, 'exports.one = () => 1;');
    await makePrograms(folder, ['a.yaml']);
    expect(run(folder).status).toBe(0);
    install(folder, 'shop-tools', { version: '1.0.1' }, 'exports.one = () => 1;');
    expect(run(folder).status).toBe(2);
  });

  it('is never one that a step wrote', async () => {
    const folder = projectOf({
      'a.yaml': `meta: { modules: ["shop-tools"] }\nactions:\n- FA_create_file: { file_path: node_modules/shop-tools/index.js, content: "exports.one = () => 2;" }\n- shop_tools_one\n`,
    });
    folders.push(folder);
    install(folder, 'shop-tools', { version: '1.0.0' }, 'exports.one = () => 1;');
    await makePrograms(folder, ['a.yaml']);
    const { status, output } = run(folder);
    expect([status, output.includes('was written while the run went on')], output).toEqual([1, true]);
  });
});

it('svc run loads no package that a step wrote beside it', () => {
  const folder = projectOf({
    'a.yaml': `- FA_create_file: { file_path: node_modules/playwright-core/index.js, content: ${JSON.stringify(evil)} }\n${browser}`,
  });
  folders.push(folder);
  const home = path.join(folder, 'node_modules/svc');
  mkdirSync(home, { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(home, 'package.json'));
  cpSync(path.join(root, 'dist'), path.join(home, 'dist'), { recursive: true });
  install(folder, 'playwright-core', { version }, 'exports.chromium = {};');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/svc/dist/bin/svc.js', 'run', 'a.yaml'],
    { cwd: folder, encoding: 'utf8' },
  );
  expect([status, existsSync(path.join(folder, 'owned.txt'))], stdout + stderr).toEqual([1, false]);
  rmSync(home, { recursive: true });
});
