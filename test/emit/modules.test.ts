import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { built } from '../built.ts';

import { makePrograms, projectOf, removeProject, type MadePrograms } from './make-programs.ts';

let made: MadePrograms;
beforeAll(async () => {
  await built();
  const folder = projectOf({
    'flows/order.yaml': `
meta: { modules: ["@acme/shop-tools/orders", greeter, "not-there"], on_failure: continue }
actions:
- WR_add_package_to_executor: { package: ./shop.mjs }
- shop_order: { book: "\${env:BOOK:-7}" }
- acme_shop_tools_orders_count: [[1, 2]]
- say_hello: { name: Ada }
- not_there_x
`,
    'flows/shop.mjs': 'export const order = ({ book }) => `one ${book}`;',
  });
  const home = path.join(folder, 'node_modules/@acme/shop-tools');
  mkdirSync(home, { recursive: true });
  writeFileSync(
    path.join(home, 'package.json'),
    JSON.stringify({ name: '@acme/shop-tools', version: '3.1.4', exports: { './orders': './orders.mjs' } }),
  );
  writeFileSync(path.join(home, 'orders.mjs'), 'export const count = (list) => list.length;');
  const plugin = path.join(folder, 'node_modules/greeter');
  mkdirSync(plugin);
  const svc = { actions: './actions.mjs#register', commands: ['say_hello'] };
  writeFileSync(path.join(plugin, 'package.json'), JSON.stringify({ name: 'greeter', version: '0.1.0', svc }));
  writeFileSync(
    path.join(plugin, 'actions.mjs'),
    'export const register = () => ({ say_hello: { run: ({ name }) => `Hello ${name}`, effects: ["pure"] } });',
  );
  made = await makePrograms(folder, ['flows/order.yaml']);
}, 300_000);
afterAll(() => removeProject(made.folder));

function run(...args: readonly string[]): {
  readonly status: number | null;
  readonly output: string;
  readonly results: readonly unknown[];
} {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['dist/order.mjs', '--record', 'record.jsonl', ...args],
    { cwd: made.folder, encoding: 'utf8' },
  );
  const records = readFileSync(path.join(made.folder, 'record.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { result?: unknown; error?: { code: string } });
  return {
    status,
    output: stdout + stderr,
    results: records.map(({ result, error }) => error?.code ?? result ?? null),
  };
}

describe('a program that calls modules', () => {
  it('names the packages in its manifest, with their versions where they are installed', () => {
    expect(JSON.parse(made.manifest)).toMatchObject({
      programs: [
        {
          externals: ['@acme/shop-tools@3.1.4', 'greeter@0.1.0', 'not-there'],
          commands: [
            'WR_add_package_to_executor',
            'acme_shop_tools_orders_count',
            'not_there_x',
            'say_hello',
            'shop_order',
          ],
        },
      ],
    });
    expect(made.diagnostics).toMatchObject([{ code: 'SVC40008', severity: 'warning', args: { name: 'not-there' } }]);
  });

  it('holds nothing of them: names stand in its plan alone', () => {
    const program = made.emitted[0]?.program ?? '';
    expect(program).toContain('shop');
    const code = program
      .split('\n')
      .filter((line) => !line.includes('JSON.parse('))
      .join('\n');
    expect(code).not.toMatch(/shop|acme|greeter|not_there/);
    expect(program).not.toMatch(/^import [^;]*from "(?!node:)/m);
  });

  it('calls them from where it runs', () => {
    expect(run()).toMatchObject({ status: 1, results: [null, 'one 7', 2, 'Hello Ada', 'SVC80052'] });
    expect(run().output).toContain('The module "./flows/shop.mjs" is loaded, but');
  });

  it('says which one is missing', () => {
    const installed = path.join(made.folder, 'node_modules');
    renameSync(installed, `${installed}-away`);
    const { results, output } = run();
    renameSync(`${installed}-away`, installed);
    expect(results).toEqual([null, 'one 7', 'SVC80052', 'SVC80052', 'SVC80052']);
    expect(output).toContain('There is no module "@acme/shop-tools/orders", looked for from');
  });

  it('loads none where the gate is closed, and calls none in a dry run', () => {
    expect(run('--deny', 'packages').results).toEqual(['SVC80024', null, 'SVC80024', 'SVC80024', 'SVC80024']);
    expect(run('--dry-run')).toMatchObject({
      status: 0,
      results: [
        { package: './flows/shop.mjs' },
        { module: './flows/shop.mjs', export: 'order', keywords: { book: '7' } },
        { positional: [[1, 2]] },
        { module: 'greeter', export: 'say_hello' },
        { module: 'not-there' },
      ],
    });
  });
});

it('a program that calls none links nothing for them', async () => {
  const folder = projectOf({ 'a.yaml': '- FA_create_dir: { dir_path: a }\n' });
  const {
    emitted: [program],
  } = await makePrograms(folder, ['a.yaml']);
  removeProject(folder);
  expect(program?.program).not.toContain('allow_packages');
});
