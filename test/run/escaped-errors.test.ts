import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { commandLine } from '../built.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-escaped-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A plugin with one command, whose module holds some code beside it. */
function plugin(name: string, code = ''): Record<string, string> {
  const manifest = { name, version: '1.0.0', svc: { actions: './actions.mjs#register' } };
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify(manifest),
    [`node_modules/${name}/actions.mjs`]: `${code}\nexport const register = () => ({ ${name}_one: () => 1 });`,
  };
}

function run(...flags: readonly string[]): { readonly status: number | null; readonly said: string } {
  const args = [...commandLine, 'run', 'a.yaml', '--allow', 'packages', ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

describe('a rejection that nobody waits for', () => {
  const lists = {
    'package.json': JSON.stringify({ dependencies: { bad: '1', good: '1' } }),
  };

  it.each([
    ['when it is loaded', 'Promise.reject(new Error("left alone."));'],
    ['a little later, while it is loaded', 'queueMicrotask(() => { Promise.reject(new Error("left alone")); });'],
    [
      'while it waits for something else',
      'Promise.reject(new Error("left alone")); await new Promise((done) => setTimeout(done, 50));',
    ],
  ])('has the plugin left out that made it %s, and named', (_when, code) => {
    write({
      ...lists,
      ...plugin('bad', code),
      ...plugin('good'),
      'a.yaml': `actions:
- FA_plugin_list: {}
  save_as: plugins
  expect:
  - contains(result[0].error, "a promise that nobody waits for failed while it was loaded")
  - contains(result[0].error, "left alone")
  - result[1].error == null
  - result[1].commands[0] == "good_one"
`,
    });
    const { status, said } = run();
    expect(status, said).toBe(0);
    expect(said).not.toContain('    at ');
  });

  it('has the module refused that is such a plugin', () => {
    write({
      ...plugin('bad', 'Promise.reject(new Error("left alone"));'),
      'a.yaml': 'meta: { modules: [bad] }\nactions:\n- bad_one: []\n',
    });
    const { status, said } = run();
    expect(status, said).toBe(1);
    expect(said).toContain('"bad"');
    expect(said).toContain('left alone');
    expect(said).not.toContain('svc itself failed');
  });

  it('names the plugin and fails the run where nothing tells whose it is', () => {
    write({
      ...lists,
      ...plugin('bad', 'Promise.reject("left alone");'),
      ...plugin('good'),
      'a.yaml': 'actions: [FA_plugin_list]\n',
    });
    const { status, said } = run();
    expect(status, said).toBe(1);
    expect(said).toContain('left alone');
    expect(said).toContain('"bad"');
  });

  it('has the plugin named whose timer made the error, after it was loaded', () => {
    const later = 'setTimeout(() => { throw new Error("too late"); }, 50);';
    write({
      ...plugin('bad'),
      'node_modules/bad/actions.mjs': `${later}
export const register = () => ({ bad_one: () => new Promise((done) => setTimeout(done, 60_000)) });`,
      'a.yaml': 'meta: { modules: [bad] }\nactions:\n- bad_one: []\n',
    });
    const { status, said } = run();
    expect(status, said).toBe(1);
    expect(said).toContain('An error that nobody caught ended the run: in the package "bad": too late.');
  });

  const left = 'Promise.reject(new Error("left alone."));';
  it.each([
    ['when a module is loaded', `${left} export const one = () => 1;`],
    ['in the last step', `export const one = () => { ${left} return 1; }`],
    ['when a module is loaded by a process of its own', `${left} export const one = () => 1;`, '--isolate'],
    ['in the last step of a process of its own', `export const one = () => { ${left} return 1; }`, '--isolate'],
  ])('fails the run where it is made %s', (_when, code, ...flags) => {
    write({ 'm.mjs': code, 'a.yaml': 'meta: { modules: [./m.mjs] }\nactions:\n- m_one: []\n' });
    const { status, said } = run(...flags);
    expect(status, said).toBe(1);
    expect(said).toMatch(/[Aa]n error that nobody caught ended the run: left alone\.(?!\.)/);
    expect(said).not.toContain('svc itself failed');
  });
});
