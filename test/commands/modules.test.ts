import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Settings } from '#runtime/kernel/ports.ts';

import { failureOf, session } from './call.ts';

let outer = '';
/** The project root, and the folder of the action file. */
let root = '';

beforeAll(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'svc-modules-')));
  root = join(outer, 'project');
  await write(
    'project/shop.mjs',
    `
    export const order = ({ book }, { signal, step, folders }) => ({ book, command: step.command, attempt: step.attempt, here: folders.here, aborted: signal.aborted });
    export const keep = (values) => { values.book.title = 'changed'; return values; };
    export const slow = (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    export const secret = ({ pin }, { mask }) => { mask(pin); return { pin, text: 'pin ' + pin }; };
    export const shown = (_, { attach }) => attach({ kind: 'text', name: 'receipt', text: 'one book' });
    export const many = () => ({ at: new Date(0), big: 10n ** 20n, set: new Set([1]), fn: () => 1, nothing: undefined });
    export const fails = () => { throw new RangeError('sold out'); };
    export const missing = async () => (await import('node:fs/promises')).readFile('/nowhere/at/all');
    export class Basket { constructor({ books }) { this.books = books; } }
    export const rate = 7;
    export default { helper({ n }) { return this.base + n; }, base: 40, toString: null };
  `,
  );
  await write('project/broken.mjs', "throw new Error('no shop today');");
  await write('project/unreadable.mjs', 'export const = 1;');
  await write('project/needs.mjs', "import 'not-installed-anywhere';");
  await write('project/typed.ts', 'export function total({ net }: { net: number }): number { return net * 1.25; }');
  await write(
    'project/node_modules/tools/package.json',
    JSON.stringify({
      name: 'tools',
      exports: { '.': { require: './old.cjs', import: './new.js' }, './orders': './orders.js', './hidden/*': null },
      type: 'module',
    }),
  );
  await write('project/node_modules/tools/new.js', "export const which = () => 'new';");
  await write('project/node_modules/tools/old.cjs', "exports.which = () => 'old';");
  await write('project/node_modules/tools/orders.js', 'export const count = () => 3;');
  await write('project/node_modules/old-tools/package.json', JSON.stringify({ name: 'old-tools', main: 'lib' }));
  await write(
    'project/node_modules/old-tools/lib/index.js',
    'module.exports = Object.assign(Object.create(null), { sum({ a, b }) { return this.add(a, b); }, add: (a, b) => a + b });',
  );
  await write('shared/shop.mjs', 'export const order = () => 1;');
  await symlink(join(outer, 'shared'), join(root, 'linked'));
});
afterAll(() => rm(outer, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(outer, path)), { recursive: true });
  await writeFile(join(outer, path), text);
}

function shop(
  modules: readonly string[] = ['./shop.mjs'],
  settings: Partial<Settings> = {},
): ReturnType<typeof session> {
  return session({ root, unit: { modules }, settings });
}

async function codeOf(name: string, modules: readonly string[], settings: Partial<Settings> = {}): Promise<string> {
  await using unit = await shop(modules, settings);
  return (await failureOf(unit.call(name))).facts.code;
}

describe('a function of a module', () => {
  test('gets its keywords, and what stands around the step', async () => {
    await using unit = await shop();
    expect(await unit.call('shop_order', { book: 7 })).toEqual({
      book: 7,
      command: 'shop_order',
      attempt: 1,
      here: root,
      aborted: false,
    });
  });

  test('may write into what it gets: the plan stays as it is', async () => {
    await using unit = await shop();
    const given = { book: { title: 'as it was' } };
    expect(await unit.call('shop_keep', given)).toEqual({ book: { title: 'changed' } });
    expect(given).toEqual({ book: { title: 'as it was' } });
  });

  test('is told when its step is cancelled', async () => {
    await using unit = await shop();
    const begin = performance.now();
    expect((await failureOf(unit.call('shop_slow', {}, { timeout_s: 0.1 }))).facts.code).toBe('SVC80002');
    expect(performance.now() - begin).toBeLessThan(1500);
  });

  test('can hide a value and show something', async () => {
    await using unit = await shop();
    await unit.call('shop_secret', { pin: 'q7-secret-q7' });
    expect(JSON.stringify(unit.records)).not.toContain('q7-secret-q7');
    await unit.call('shop_shown');
    expect(unit.evidence).toEqual([{ kind: 'text', name: 'receipt', text: 'one book' }]);
  });

  test('yields what it likes; records hold it as JSON', async () => {
    await using unit = await shop();
    await unit.call('shop_many');
    expect(unit.records[0]?.result).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      big: '100000000000000000000',
      set: { $handle: 'set' },
      fn: { $handle: 'function' },
    });
  });

  test('can be a class, a member of the default export, or TypeScript', async () => {
    await using unit = await shop(['./shop.mjs', './typed.ts']);
    expect(await unit.call('shop_Basket', { books: [1] })).toMatchObject({ books: [1] });
    expect(await unit.call('shop_helper', { n: 2 })).toBe(42);
    expect(await unit.call('typed_total', { net: 4 })).toBe(5);
  });

  test('fails the step with what it throws', async () => {
    await using unit = await shop();
    const failure = await failureOf(unit.call('shop_fails'));
    expect(failure.facts).toMatchObject({ code: 'SVC80001', message: 'shop_fails broke: sold out' });
    expect(failure.cause).toBeInstanceOf(RangeError);
    expect((await failureOf(unit.call('shop_missing'))).facts.code).toBe('SVC85000');
  });

  test('is one: what else a module has cannot be called', async () => {
    await using unit = await shop();
    const missing = await failureOf(unit.call('shop_ordr'));
    expect(missing.facts).toMatchObject({
      code: 'SVC80054',
      message: 'The module "./shop.mjs" has no function "ordr".',
      help: expect.stringContaining('helper, keep, many') as string,
    });
    expect((await failureOf(unit.call('shop_rate'))).facts).toMatchObject({
      code: 'SVC80055',
      message: '"rate" of the module "./shop.mjs" is no function, but of the type number.',
    });
    for (const name of ['shop_toString', 'shop_constructor', 'shop___proto__', 'shop_default'])
      expect((await failureOf(unit.call(name))).facts.code, name).toMatch(/^SVC8005[45]$/);
  });
});

describe('packages', () => {
  test('are found as Node finds them for ES modules', async () => {
    await using unit = await shop(['tools', 'tools/orders', 'old-tools']);
    expect(await unit.call('tools_which')).toBe('new');
    expect(await unit.call('tools_orders_count')).toBe(3);
    expect(await unit.call('old_tools_sum', { a: 1, b: 2 })).toBe(3);
  });

  test('that are not there, or keep a subpath to themselves, are missing', async () => {
    for (const [name, module] of [
      ['nothing_x', 'nothing'],
      ['tools_hidden_x_y', 'tools/hidden/x'],
      ['tools_other_y', 'tools/other'],
      ['fs_existsSync', 'fs'],
      ['svc_x', 'svc'],
    ] as const) {
      expect(await codeOf(name, [module]), module).toBe('SVC80052');
    }
  });
});

describe('a module that cannot be loaded', () => {
  test.each([
    ['broken', 'no shop today'],
    ['unreadable', 'broke while it was loaded'],
    ['needs', 'not-installed-anywhere'],
  ])('%s.mjs', async (name, reason) => {
    await using unit = await shop([`./${name}.mjs`]);
    const failure = await failureOf(unit.call('AT_add_package_to_executor', { package: `./${name}.mjs` }));
    expect(failure.facts.code).toBe('SVC80053');
    expect(failure.message).toContain(reason);
    expect((await failureOf(unit.call(`${name}_x`))).facts.code).toBe('SVC80053');
  });

  test.each([
    'https://127.0.0.1/shop.mjs',
    'data:text/javascript,0',
    'node:fs',
    'file:///shop.mjs',
    '/shop.mjs',
    '.',
    '..',
    './',
    'tools/../broken',
    'tools//orders',
    String.raw`.\shop.mjs`,
    './shop.mjs?x',
  ])('%s is no name', async (name) => {
    await using unit = await shop();
    expect((await failureOf(unit.call('WR_add_package_to_executor', { package: name }))).facts.code).toBe('SVC80050');
  });

  test('a file that is not there, a folder', async () => {
    await using unit = await shop();
    for (const name of ['./none.mjs', './node_modules'])
      expect((await failureOf(unit.call('AT_add_package_to_callback_executor', { package: name }))).facts.code).toBe(
        'SVC80052',
      );
  });
});

describe('what a host lets in', () => {
  test('nothing where the gate is closed, not even a look', async () => {
    expect(await codeOf('nothing_x', ['nothing'], { gates: { packages: false } })).toBe('SVC80024');
    expect(
      await codeOf('shop_order', ['./shop.mjs'], { gates: { packages: false }, allow_packages: ['./shop.mjs'] }),
    ).toBe('SVC80024');
  });

  test('what is on its list, with what lies below; nothing before it is looked at', async () => {
    const listed = { allow_packages: ['tools', './sub/', '../shared'] };
    for (const [name, module] of [
      ['tools_which', 'tools'],
      ['tools_orders_count', 'tools/orders'],
    ] as const) {
      await using unit = await shop([module], listed);
      await unit.call(name);
    }
    for (const [name, module] of [
      ['tools_x_y', 'tools-x'],
      ['old_tools_sum', 'old-tools'],
      ['nothing_x', 'nothing'],
      ['shop_order', './shop.mjs'],
      ['subway_x', './subway.mjs'],
    ] as const) {
      expect(await codeOf(name, [module], listed), module).toBe('SVC80051');
    }
    expect(await codeOf('x_y', ['./sub/x.mjs'], listed)).toBe('SVC80052');
  });

  test('files of the project alone, unless the list holds others; a link is where it leads', async () => {
    expect(await codeOf('shop_order', ['../shared/shop.mjs'])).toBe('SVC80051');
    expect(await codeOf('shop_order', ['./linked/shop.mjs'])).toBe('SVC80051');
    expect(await codeOf('shop_order', ['./linked/shop.mjs'], { allow_packages: ['./linked'] })).toBe('SVC80051');
    await using unit = await shop(['../shared/shop.mjs'], { allow_packages: ['../shared'] });
    expect(await unit.call('shop_order')).toBe(1);
  });

  test('everything installed where it has no list, with one warning a run', async () => {
    await using unit = await shop(['tools', './shop.mjs']);
    await unit.call('tools_which');
    await unit.call('shop_order', { book: 1 });
    expect(unit.events.filter(({ kind }) => kind === 'notice')).toMatchObject([
      { level: 'warning', text: expect.stringContaining('The module "tools" is loaded, but') as string },
    ]);
  });
});
