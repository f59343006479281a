import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { commandLine, root as project } from '../built.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-endless-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A plugin with one command, whose module begins with some code. */
function install(name: string, code = ''): void {
  const home = join(root, 'node_modules', name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name, svc: { actions: './actions.mjs#register' } }));
  writeFileSync(join(home, 'actions.mjs'), `${code}\nexport const register = () => ({ ${name}_one: () => 1 });`);
}

/** Runs a file where a module has a second to load. */
function run(text: string): { readonly status: number | null; readonly said: string } {
  writeFileSync(join(root, 'svc.config.yaml'), 'limits: { module_seconds: 1 }\n');
  writeFileSync(join(root, 'a.yaml'), text);
  const args = [...commandLine, 'run', 'a.yaml', '--allow', 'packages'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

describe('a plugin that loops for ever while it loads', { timeout: 60_000 }, () => {
  it('is named and left out when its time is over, and the others are there', () => {
    writeFileSync(join(root, 'package.json'), JSON.stringify({ dependencies: { bad: '1', good: '1' } }));
    install('bad', 'for (;;) {}');
    install('good');
    const { status, said } = run(`actions:
- FA_plugin_list: {}
  expect:
  - result[0].name == "bad"
  - result[0].error == "it did not say within 1 s what it has"
  - result[1].error == null
  - result[1].commands[0] == "good_one"
`);
    expect(status, said).toBe(0);
    expect(said).toContain('warning: The module "bad" broke while it was loaded: it held the process for 1 s\n');
    expect(said).not.toContain('"good"');
  });

  it('fails the step that needs it, with its name', () => {
    install('bad', 'for (;;) {}');
    const { status, said } = run('meta: { modules: [bad] }\nactions:\n- bad_one: []\n');
    expect(status, said).toBe(1);
    expect(said).toMatch(/"bad".*it did not say within 1 s what it has/);
  });
});

describe('a file of functions that is never done with loading', { timeout: 60_000 }, () => {
  it.each([
    ['loops', 'for (;;) {}', true],
    ['loops in promises', 'for (;;) await 0;', true],
    ['waits', 'await new Promise((resolve) => setTimeout(resolve, 60_000));', false],
  ])('fails its step where it %s, and teardown runs', (_what, code, holds) => {
    writeFileSync(join(root, 'mine.mjs'), `${code}\nexport const one = () => 1;`);
    const { status, said } = run(`actions:
- AT_add_package_to_executor: { package: ./mine.mjs }
- AT_set_variable: { name: a, value: 1 }
teardown:
- AT_set_variable: { name: b, value: 1 }
`);
    expect(status, said).toBe(1);
    expect(said).toMatch(/"\.\/mine\.mjs" broke .*it was not loaded within 1 s, the limit "module_seconds"/);
    expect(said.includes('"./mine.mjs" broke while it was loaded: it held the process for 1 s')).toBe(holds);
    expect(said).toContain('1 passed, 1 failed, 1 skipped');
  });
});

describe('a function that never returns', { timeout: 60_000 }, () => {
  it('fails its step when its time is over; steps beside it and behind it run', () => {
    writeFileSync(
      join(root, 'mine.mjs'),
      `export const spin = () => { for (;;); };
export const spins = async () => { try { for (;;); } finally { for (;;); } };
export const late = () => new Promise((resolve) => setTimeout(resolve, 300, 'late'));`,
    );
    const { status, said } = run(`meta: { on_failure: continue }
actions:
- AT_add_package_to_executor: { package: ./mine.mjs }
- mine_spins: []
  timeout_s: 0.3
- parallel:
  - - mine_spin: []
      timeout_s: 0.3
  - - mine_late: []
      timeout_s: 20
      expect: result == "late"
teardown:
- AT_set_variable: { name: a, value: 1 }
`);
    expect(status, said).toBe(1);
    expect(said.match(/The step did not end within 0\.3 s/g)?.length, said).toBeGreaterThanOrEqual(2);
    expect(said).toContain('3 passed, 3 failed');
  });

  it('is ended behind others, each of which has had its time', () => {
    writeFileSync(join(root, 'mine.mjs'), 'export const some = ({ item }) => { for (; item === 50;); return item; };');
    const { said } = run(`meta: { on_failure: continue }
actions:
- AT_add_package_to_executor: { package: ./mine.mjs }
- for_each: { from: 1, to: 100 }
  do:
  - mine_some: { item: "{{item}}" }
    timeout_s: 0.5
    expect: result == item
`);
    expect(said).toContain('50 passed, 2 failed');
  });
});

/** Says what became of loading a module under a watch, and that the process goes on as before. */
const WATCHING = `
  import { readFile } from 'node:fs/promises';
  import { withoutEndlessLoop } from '#runtime/adapters/modules/without-endless-loop.ts';
  const [address, ms] = process.argv.slice(1);
  const { promise: late, resolve } = Promise.withResolvers();
  const timer = setTimeout(resolve, Number(ms), 'late');
  const work = () => import(address).then((module) => module.register());
  const outcome = await withoutEndlessLoop(600, (warn) => {
    warn('it loops');
    return Promise.race([work(), late]);
  });
  clearTimeout(timer);
  console.log(outcome, (await readFile(new URL(address))).length > 0);
`;

function watched(code: string, lateAfterMs = 900): string {
  const file = join(root, 'm.mjs');
  writeFileSync(file, code);
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const words = [...flags, '--eval', WATCHING, pathToFileURL(file).href, String(lateAfterMs)];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8', timeout: 30_000 });
  return (stdout + stderr).trim();
}

describe('work under a watch', { timeout: 60_000 }, () => {
  it.each([
    ['while a module is evaluated', 'for (;;) {}'],
    ['behind an await of the module', 'await 1; for (;;) {}'],
    ['in a function', 'export const register = () => { for (;;) {} };'],
    ['in a function that has waited', 'export const register = async () => { await 1; for (;;) {} };'],
    ['of promises alone', 'export const register = async () => { for (;;) await 0; };'],
    ['where it catches everything', 'for (;;) try { for (;;) {} } catch {} finally { for (;;) {} }'],
  ])('that loops for ever %s is ended, and the process goes on', (_where, code) => {
    expect(watched(code)).toBe('late true\nit loops');
  });

  it('that loops for ever in a timer ends the process, behind the warning', () => {
    const said = watched('export const register = () => new Promise(() => setTimeout(() => { for (;;) {} }));');
    expect(said).toMatch(/^it loops\n/);
  });

  it('is left alone where it takes long and lets others have turns', () => {
    const code = `export const register = async () => {
      for (const until = Date.now() + 800; Date.now() < until; ) {
        for (const pause = Date.now() + 50; Date.now() < pause; );
        await new Promise((resolve) => setTimeout(resolve));
      }
      return 'done';
    };`;
    expect(watched(code, 20_000)).toBe('done true');
  });

  it('fails as it does without', () => {
    expect(watched('throw new Error("on purpose")')).toContain('on purpose');
  });
});
