import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { check } from '#compiler/api.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { RunOutcome } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { svc } from './svc.ts';

const set = (name: string, value = '1'): string =>
  `- AT_set_variable: { name: ${name}, value: "${value}" }\n- AT_get_variable: [${name}]\n`;
const files: Readonly<Record<string, string>> = {
  'svc.config.yaml': '{}\n',
  '.env': 'PLACE=outer\n',
  'a.yaml': set('a', '${ENV.PLACE} ${root}'),
  'sub/svc.config.yaml': 'lint: { rules: { no-unused-variable: error } }\n',
  'sub/.env': 'PLACE=inner\n',
  'sub/b.yaml': set('b', '${ENV.PLACE} ${root}'),
  'sub/a.yaml': set('same'),
  'sub/only.yaml': set('only'),
  'sub/out.yaml': `meta: { depends_on: [../a] }\nactions:\n${set('o')}`,
  'plain/svc.config.yaml': '{}\n',
  'plain/c.yaml': set('c'),
  'plain/deep/d.yaml': set('d'),
  'sub/unused.yaml': '- AT_set_variable: { name: nobody, value: 1 }\n',
  'unused.yaml': '- AT_set_variable: { name: nobody, value: 1 }\n',
  'broken.yaml': '- AT_set_variabel: {}\n',
  'sub/broken.yaml': '- AT_set_variabel: {}\n',
  'needs.yaml': `meta: { depends_on: [sub/b] }\nactions:\n${set('n', '{{b}}')}`,
  'old.yaml': 'webdriver_wrapper:\n  - WR_explict_wait: { wait_time: 1, method: { x: 1 } }\n',
};

let folder = '';
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-roots-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const tell = (...args: readonly string[]) => svc(folder, args);

describe('the project root is that of each file', () => {
  it('compiles the same bytes in any order, and those of each alone', async () => {
    await tell('compile', 'a.yaml', 'sub/b.yaml', '-o', 'one', '--plan');
    await tell('compile', 'sub/b.yaml', 'a.yaml', '-o', 'two', '--plan');
    await tell('compile', 'a.yaml', '-o', 'alone', '--plan');
    await tell('compile', 'sub/b.yaml', '-o', 'alone/sub', '--plan');
    const read = (out: string, name: string): string => readFileSync(at(`${out}/${name}`), 'utf8');
    for (const name of ['a.mjs', 'a.plan.json', 'sub/b.mjs', 'sub/b.plan.json', 'manifest.json'])
      expect(read('one', name), name).toBe(read('two', name));
    for (const name of ['a.mjs', 'a.plan.json', 'sub/b.mjs', 'sub/b.plan.json'])
      expect(read('one', name), name).toBe(read('alone', name));
  });

  it('runs each below its own root, in one run', async () => {
    const { stdout, stderr, exit } = await tell(
      'run',
      'a.yaml',
      'sub/b.yaml',
      'sub/a.yaml',
      '--json',
      '--record',
      'r.jsonl',
    );
    expect(exit, stderr).toBe(0);
    expect((JSON.parse(stdout) as RunOutcome).files.map(({ file }) => file)).toEqual(['a.yaml', 'b.yaml', 'a.yaml']);
    const records = readFileSync(at('r.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RunRecord);
    const got = records.filter(({ command }) => command === 'AT_get_variable');
    expect(got.map(({ id, result }) => [id, result])).toEqual([
      ['a.yaml#1', `outer ${folder}`],
      ['b.yaml#1', `inner ${at('sub')}`],
      ['a.yaml#1', '1'],
    ]);
    expect(new Set(records.map(({ run, id, occurrence = 0 }) => `${run} ${id} ${occurrence}`)).size).toBe(6);
  });

  it('compiles a folder as if each of its files had been named alone', async () => {
    await tell('compile', 'plain', '-o', 'folder', '--plan');
    await tell('compile', 'plain/deep/d.yaml', '-o', 'single', '--plan');
    await tell('compile', 'plain/c.yaml', '-o', 'single-c', '--plan');
    const read = (name: string): string => readFileSync(at(name), 'utf8');
    expect(read('folder/deep/d.plan.json')).toBe(read('single/d.plan.json'));
    expect(read('folder/deep/d.plan.json')).toContain('"deep/d.yaml#0"');
    expect(read('folder/c.plan.json')).toBe(read('single-c/c.plan.json'));
  });

  it('takes the nearest marked folder above each file, also where a folder is named', async () => {
    const idsOf = async (...paths: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await tell('run', ...paths, '--grep', 'only', '--list', '--json', '--no-validate-first');
      return (JSON.parse(stdout) as readonly { readonly file: string }[]).map(({ file }) => file);
    };
    for (const paths of [['.'], ['sub/only.yaml'], ['.', 'sub/only.yaml'], ['sub/only.yaml', '.'], ['s*/*.yaml']])
      expect(await idsOf(...paths), paths.join(' ')).toEqual(['only.yaml']);
  });

  it('names files without a project from the working directory, also where one folder holds them all', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'svc-no-root-')));
    mkdirSync(join(outside, 'sub'));
    writeFileSync(join(outside, 'sub/broken.yaml'), '- AT_set_variabel: {}\n');
    for (const path of ['sub', 'sub/broken.yaml', '.']) {
      const { stdout } = await svc(outside, ['check', path, '--json']);
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { file: string }[] };
      expect(
        diagnostics.map(({ file }) => file),
        path,
      ).toEqual(['sub/broken.yaml']);
    }
    rmSync(outside, { recursive: true });
  });

  it('lets a file read nothing outside of its own project, whatever else is named', async () => {
    for (const paths of [['sub/out.yaml'], ['.'], ['a.yaml', 'sub/out.yaml'], ['*.yaml', 'sub/out.yaml']]) {
      const { stdout } = await tell('check', ...paths, '--json');
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { file: string; slug: string }[] };
      const own = diagnostics.filter(({ file }) => file.endsWith('out.yaml')).map(({ slug }) => slug);
      expect(own, paths.join(' ')).toEqual(['file-outside']);
    }
  });

  it('is asked for where a program compiles files of several projects at once', async () => {
    const host = nodeHost({ cwd: folder });
    const sources = [{ path: 'a.yaml' }, { path: 'sub/b.yaml' }];
    for (const order of [sources, sources.toReversed()])
      await expect(check(order, {}, host)).rejects.toMatchObject({ facts: { name: 'several-projects' } });
    expect((await check(sources, { root: folder }, host)).hasErrors).toBe(false);
  });

  it('runs once what a file of another project depends on', async () => {
    const { stdout } = await tell('run', 'sub/b.yaml', 'needs.yaml', '--json');
    expect((JSON.parse(stdout) as RunOutcome).files.map(({ file }) => file)).toEqual(['sub/b.yaml', 'needs.yaml']);
  });

  it.each(['check', 'lint', 'plan', 'migrate'])(
    '%s names files of several projects from the working directory',
    async (verb) => {
      const names = verb === 'migrate' ? ['old.yaml', 'sub/b.yaml'] : ['sub/broken.yaml', 'broken.yaml'];
      const { stdout, stderr } = await tell(verb, ...names);
      const { stdout: turned, stderr: told } = await tell(verb, ...names.toReversed());
      for (const name of verb === 'migrate' ? ['old.yaml'] : names) expect(stdout + stderr).toContain(name);
      expect([turned, told].join('')).toHaveLength(stdout.length + stderr.length);
    },
  );

  it('lints each under the configuration of its project', async () => {
    const { stdout } = await tell('lint', 'unused.yaml', 'sub/unused.yaml', '--json');
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { file: string; severity: string }[] };
    expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ file }) => file)).toEqual([
      'sub/unused.yaml',
    ]);
  });
});
