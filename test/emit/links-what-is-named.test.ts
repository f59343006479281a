import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkSetOf } from '#compiler/phases/7-emit/link-set.ts';
import { openLibrary, type Library } from '#compiler/phases/7-emit/library.ts';
import { compile } from '#compiler/api.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { reporterNames } from '#runtime/reporters/names.ts';
import { reporters } from '#runtime/reporters/reporters.ts';
import { leftOutNames, type LeftOut } from '#schemas/types/left-out.ts';
import { Failure } from '#schemas/types/failure.ts';

import { built, root } from '../built.ts';

import { makePrograms, projectOf, removeProject } from './make-programs.ts';

/** Greatest size (bytes) of a minified program of two file commands. */
const MOST_BYTES = 80 * 1024;

const folders: string[] = [];
let library: Library;
beforeAll(async () => {
  await built();
  const opened = await openLibrary(root, nodeHost());
  if (!opened) throw new Error('the library was not built');
  library = opened;
}, 120_000);
afterAll(() => folders.forEach(removeProject));

function project(files: Readonly<Record<string, string>>): string {
  const folder = projectOf(files);
  folders.push(folder);
  return folder;
}

async function setOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
): Promise<ReturnType<typeof linkSetOf>> {
  const folder = project({ ...files, 'a.yaml': text });
  const compilation = await compile([{ path: `${folder}/a.yaml` }], { root: folder }, nodeHost());
  expect(compilation.diagnostics).toEqual([]);
  return linkSetOf(compilation.seal().plan, library);
}

describe('the link set', () => {
  it('of literals holds commands alone', async () => {
    expect(await setOf('[[FA_create_dir, {dir_path: a}], [FA_create_dir, {dir_path: b}]]')).toEqual({
      commands: ['FA_create_dir'],
      validators: [],
      ports: [],
      verdicts: [],
      parts: [],
      around: [],
      reporters: ['human', 'json'],
      leftOut: leftOutNames,
    });
  });

  it('holds validators of commands whose arguments a run decides', async () => {
    const { validators } = await setOf(
      '[[FA_create_dir, {dir_path: "${cwd}/a"}], [FA_create_file, {file_path: b, content: plain}]]',
    );
    expect(validators).toEqual(['FA_create_dir']);
  });

  it('can hold every reporter', () => {
    expect(Object.keys(library.reporters)).toEqual(reporterNames);
  });

  it('looks into lists that a command runs', async () => {
    const { commands, validators, parts } = await setOf(
      '[[FA_if_exists, {path: a, then: [[FA_create_dir, {dir_path: "${cwd}/x"}]]}]]',
    );
    expect({ commands, validators, parts }).toEqual({
      commands: ['FA_create_dir', 'FA_if_exists'],
      validators: ['FA_create_dir'],
      parts: ['values', 'blocks', 'graph'],
    });
  });

  it('holds providers with the providers that they need', async () => {
    const { ports } = await setOf('[[AT_test_api_method, {http_method: get, test_url: "http://127.0.0.1:1/"}]]');
    expect(ports).toEqual(expect.arrayContaining(['cookies', 'http']));
  });

  it('holds the parts of the kernel that a file asks for', async () => {
    expect((await setOf('{nodes: [{id: a, action: [FA_create_dir, {dir_path: a}]}]}')).parts).toEqual(['graph']);
    expect(
      (await setOf('{meta: {inputs: {n: {type: integer}}}, actions: [[AT_set_variable, [a, "{{n}}"]]]}')).parts,
    ).toEqual(['values', 'inputs']);
  });

  it.each([
    ['[[FA_copy_dir, {dir_path: a, target_dir_path: b}]]', ['bulk', 'trees']],
    ['[[FA_copy_file, {source: a, target: b}]]', []],
    ['[[FA_remove_dir_tree, {dir_path: a}]]', ['trees']],
    ['[[FA_file_checksum, {path: a}]]', ['bulk']],
    ['[[FA_run_shell, {command: [ls]}]]', ['processes']],
    ['[[FA_create_dir, {dir_path: "${run.tmp}/a"}]]', ['trees', 'match']],
    ['[[WR_new_driver, {webdriver_name: chromium}]]', ['trees', 'processes']],
    ['[[WR_pw_launch]]', ['trees', 'processes', 'pinned']],
    ['[[FA_execute_files, [[b.yaml]]]]', ['bulk', 'trees', 'match', 'processes', 'pinned']],
  ])('holds the parts of the host that commands and providers ask for: %s', async (text, around) => {
    expect((await setOf(text)).around).toEqual(around);
  });

  it('holds storage for what may leave this machine, not for a path that is known to stay', async () => {
    const sum = (path: string): string =>
      `{meta: {inputs: {p: {type: string}}}, actions: [[FA_file_checksum, {path: "${path}"}]]}`;
    expect((await setOf(sum('a'))).ports).not.toContain('storage');
    for (const path of ['{{p}}', 'memory://a']) expect((await setOf(sum(path))).ports).toContain('storage');
  });

  it('holds what packs archives for a record of the network that is packed, or whose name a run decides', async () => {
    const launch = (args: string): string =>
      `{meta: {inputs: {p: {type: string}}}, actions: [[WR_pw_launch, {${args}}]]}`;
    for (const args of ['', 'record_har_path: a.har', 'record_har_path: null'])
      expect((await setOf(launch(args))).ports).not.toContain('zip');
    for (const args of ['record_har_path: a.zip', 'record_har_path: "{{p}}"'])
      expect((await setOf(launch(args))).ports).toContain('zip');
    expect((await setOf('[[WR_pw_launch], [WR_pw_start_har_recording, {har_path: a.zip}]]')).ports).toContain('zip');
  });

  it.each<[string, readonly LeftOut[]]>([
    ['[[FA_create_file, {file_path: a, encoding: cp1252}]]', ['withoutEncodings']],
    ['[[FA_create_file, {file_path: a}], [FA_create_file, {file_path: b, encoding: utf-16}]]', ['withoutEncodings']],
    ['[[FA_copy_file, {source: a, target: b, progress_name: c}]]', ['withoutTransfers']],
    ['[[FA_copy_file, {source: a, target: b}], [FA_progress_list]]', ['withoutForms', 'withoutTransfers']],
    ['[{FA_create_dir: {dir_path: a}, retry: 2}]', ['withoutRetries']],
    ['[[FA_integrity_list]]', ['withoutForms', 'withoutJobs']],
    ['[{group: [[FA_create_dir, {dir_path: a}]]}]', ['withoutControls', 'withoutVariables']],
    ['[[FA_mime_detect, [a]]]', ['withoutForms', 'withoutReading']],
    ['[[FA_verify_checksum, {path: a, expected: "00"}]]', ['withoutDigests', 'withoutForms', 'withoutVerdicts']],
    ['{nodes: [{id: a, action: [FA_create_dir, {dir_path: a}]}]}', ['withoutGraphs', 'withoutVariables']],
    [
      '{meta: {dataset: rows.csv}, actions: [[FA_create_dir, {dir_path: a}]]}',
      ['withoutForms', 'withoutRows', 'withoutVariables'],
    ],
    [
      '[[FA_create_dir, {dir_path: "${cwd}/a"}]]',
      ['withoutEnvironment', 'withoutForms', 'withoutReading', 'withoutVariables'],
    ],
  ])('holds the small parts that a plan asks for: %s', async (text, held) => {
    const { leftOut } = await setOf(text, { 'rows.csv': 'a\n1\n' });
    expect(leftOutNames.filter((name) => !leftOut.includes(name))).toEqual(held);
  });

  it('leaves nothing out that lists which arrive as data could need', async () => {
    const { leftOut } = await setOf('[[FA_execute_files, [[b.yaml]]]]');
    expect(leftOut).toEqual([
      'withoutEvidence',
      'withoutFolders',
      'withoutLocks',
      'withoutMoreUnits',
      'withoutRows',
      'withoutSelection',
      'withoutStated',
      'withoutStepSummary',
      'withoutStops',
      'withoutVerbose',
    ]);
  });

  it('can show evidence with the reporters that ask for it', async () => {
    const target = { write: () => undefined, colour: false, live: false, columns: 80 };
    const showing = await Promise.all(
      reporterNames.map(async (name) => ((await reporters[name]())(target, {}).showsEvidence === false ? [] : [name])),
    );
    expect(showing.flat()).toEqual(['allure', 'html']);
  });

  it('holds the failures that verdicts name', async () => {
    const { verdicts } = await setOf('[[FA_verify_checksum, {path: a, expected: "00"}]]');
    expect(verdicts).toHaveLength(1);
  });
});

describe('a program', () => {
  it('holds no compiler, no reader of YAML, no driver, no client and no other command', async () => {
    const {
      emitted: [program],
    } = await makePrograms(
      project({ 'a.yaml': '[[FA_create_dir, {dir_path: a}], [FA_create_file, {file_path: b}]]' }),
      ['a.yaml'],
    );
    const text = program?.program ?? '';
    for (const absent of [
      'chevrotain',
      'parseEvents',
      'js-yaml',
      'undici',
      'selenium',
      'playwright',
      'FA_copy_file',
      'AT_set_variable',
      'createRequire',
      'import(',
    ])
      expect(text.includes(absent), absent).toBe(false);
    expect(text).toContain('FA_create_dir');
    expect(program?.manifest).toMatchObject({
      commands: ['FA_create_dir', 'FA_create_file'],
      effects: ['fs-write'],
      externals: [],
    });
  });

  it('imports nothing but modules of Node, unless its manifest says so', async () => {
    const {
      emitted: [program],
    } = await makePrograms(
      project({ 'a.yaml': '[[AT_test_api_method, {http_method: get, test_url: "http://127.0.0.1:1/"}]]' }),
      ['a.yaml'],
    );
    const text = program?.program ?? '';
    const imports = [
      ...text.matchAll(/^import\b.*?from "([^"]+)";$|\bimport\("([^"]+)"\)|\bgetBuiltinModule\("([^"]+)"\)/gm),
    ].map(([, named, lazy, taken]) => named ?? lazy ?? taken ?? '');
    expect(imports.length).toBeGreaterThan(3);
    expect(imports.filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(program?.manifest.externals).toEqual([]);
  });

  it('that runs lists of other files asks for this package, by name and version', async () => {
    const {
      emitted: [program],
    } = await makePrograms(project({ 'a.yaml': '[[FA_execute_files, [[b.yaml]]]]' }), ['a.yaml']);
    expect(program?.manifest.externals).toEqual([`${library.generator.replace(' ', '@')}`]);
    expect(program?.program).toContain('import("svc/actions")');
  });

  it('that drives a browser by Playwright asks for that package, and loads it when a step needs it', async () => {
    const {
      emitted: [program],
    } = await makePrograms(project({ 'a.yaml': '[[WR_pw_launch], [WR_pw_to_url, {url: "about:blank"}]]' }), ['a.yaml']);
    const { devDependencies, dependencies } = (await import('../../package.json', { with: { type: 'json' } })).default;
    expect(program?.manifest.externals).toEqual([
      `playwright-core@${{ ...devDependencies, ...dependencies }['playwright-core']}`,
    ]);
    expect(program?.program).not.toMatch(/^import [^;]*playwright/m);
  });

  it('of two commands holds little else', async () => {
    const {
      emitted: [program],
    } = await makePrograms(
      project({
        'a.yaml': '[[FA_create_file, {file_path: a, content: one}], [FA_copy_file, {source: a, target: b}]]',
      }),
      ['a.yaml'],
      { minify: true },
    );
    const text = program?.program ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST_BYTES);
    for (const absent of [
      '<testsuite',
      'TAP version',
      '<!doctype',
      '::error',
      'STEP_SUMMARY',
      'Worker(',
      'execPath',
      'registerHooks',
    ])
      expect(text.includes(absent), absent).toBe(false);
  });

  it('is much smaller with --minify, and does the same', async () => {
    const folder = project({ 'a.yaml': '[[FA_create_dir, {dir_path: a}]]' });
    const [plain] = (await makePrograms(folder, ['a.yaml'])).emitted;
    const [small] = (await makePrograms(folder, ['a.yaml'], { minify: true })).emitted;
    expect(small?.program.length).toBeLessThan((plain?.program.length ?? 0) * 0.75);
    expect(small?.manifest.plan_sha256).toBe(plain?.manifest.plan_sha256);
  });

  it('keeps the place of its source relative to where it stands', async () => {
    const folder = project({
      'shop/a.yaml': '[[FA_create_dir, {dir_path: a}]]',
      'shop/b/c.yaml': '[[FA_create_dir, {dir_path: a}]]',
    });
    const sourcesOf = async (out: string): Promise<unknown> =>
      (await makePrograms(folder, ['shop/a.yaml', 'shop/b/c.yaml'], { out })).emitted.map(
        ({ map }) => (JSON.parse(map) as { sources: string[] }).sources,
      );
    expect(await sourcesOf('dist')).toEqual([['../shop/a.yaml'], ['../../shop/b/c.yaml']]);
    expect(await sourcesOf('.')).toEqual([['shop/a.yaml'], ['../shop/b/c.yaml']]);
    expect(await sourcesOf(`${folder}-elsewhere`)).toEqual([['shop/a.yaml'], ['shop/b/c.yaml']]);
    removeProject(`${folder}-elsewhere`);
  });
});

describe('what cannot be made', () => {
  it('two sources of one output: nothing is made, both are named', async () => {
    const { diagnostics, emitted } = await makePrograms(
      project({ 'a.yaml': '[[FA_create_dir, {dir_path: a}]]', 'a.json': '[["FA_create_dir", {"dir_path": "a"}]]' }),
      ['a.yaml', 'a.json'],
    );
    expect(diagnostics).toMatchObject([
      { code: 'SVC70001', primary: { source: 'a.json' }, related: [{ source: 'a.yaml' }], args: { output: 'a.mjs' } },
    ]);
    expect(emitted).toEqual([]);
  });

  it.each([
    ['manifest.json', 'manifest.json'],
    ['a.plan.json beside a.yaml', 'a.plan.json'],
  ])('an output that would overwrite a source: %s', async (_, name) => {
    const folder = project({
      'a.yaml': '[[FA_create_dir, {dir_path: a}]]',
      [name]: '[["FA_create_dir", {"dir_path": "a"}]]',
    });
    const host = nodeHost();
    const compilation = await compile(
      ['a.yaml', name].map((path) => ({ path: `${folder}/${path}` })),
      { root: folder },
      host,
    );
    const { programs } = await import('#compiler/api.ts');
    const { diagnostics } = await programs(compilation, { out: folder, settings: {}, packageFolder: root }, host);
    expect(diagnostics).toMatchObject([{ code: 'SVC70002', primary: { source: name } }]);
  });

  it('without a built library: says how to build it', async () => {
    const folder = project({ 'a.yaml': '[[FA_create_dir, {dir_path: a}]]' });
    const failure = await makePrograms(folder, ['a.yaml'], { packageFolder: folder }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ facts: { code: 'SVC70003', help: 'run `npm run build`' } });
  });
});
