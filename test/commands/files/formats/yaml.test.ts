import { execFileSync } from 'node:child_process';
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_yaml_delete, FA_yaml_get, FA_yaml_set } from '#stdlib/files/formats/yaml/yaml.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

type KeyPath = string | readonly (string | number)[];

let place: Place;
let path: string;
beforeEach(async () => {
  place = await openPlace();
  path = place.path('x.yaml');
});
afterEach(() => place.close());

const put = (text: string | Uint8Array): Promise<void> => writeFile(path, text);
const content = (): Promise<string> => readFile(path, 'utf8');
const get = (key_path: KeyPath, otherwise: unknown = null): Promise<unknown> =>
  call(FA_yaml_get, place, { path, key_path, default: otherwise });
const set = (key_path: KeyPath, value: unknown): Promise<unknown> =>
  call(FA_yaml_set, place, { path, key_path, value });
const remove = (key_path: KeyPath): Promise<unknown> => call(FA_yaml_delete, place, { path, key_path });

const service = `# head
base: &base
  image: "app" # quoted
  size: 0x10
big: 12345678901234567890
web:
  <<: *base
  list:
    - a
    - b   # keep
  text: |
    two
    lines
8080: port
copy: *base
`;

describe('FA_yaml_get', () => {
  it.each([
    ['base.size', 16],
    ['copy.image', 'app'],
    ['web.list.-1', 'b'],
    ['web..text', 'two\nlines\n'],
    ['web.list.2', 'none'],
    ['base.nothing', 'none'],
    ['base.size.x', 'none'],
    [['web', 'list', 0], 'a'],
  ])('%j is %j', async (key_path, expected) => {
    await put(service);
    expect(await get(key_path, 'none')).toEqual(expected);
  });

  it.each(['big', 'web', 'web.image', '', 'missing'])('%j cannot be told for certain', async (key_path) => {
    await put(service);
    expect((await failureOf(get(key_path, 'none'))).facts).toMatchObject({
      code: 'SVC85057',
      name: 'DataOpsException',
    });
  });

  it.each([
    ['', {}],
    ['# only a comment\n', {}],
    ['---\n', {}],
    ['\ufeffa: ~\n', { a: null }],
    ['on: yes\ndate: 2001-01-01\n', { on: 'yes', date: '2001-01-01' }],
    ['{"a": [1, 2.50]}', { a: [1, 2.5] }],
  ])('%j is %j', async (text, expected) => {
    await put(text);
    expect(await get('')).toEqual(expected);
  });

  it.each([
    ['a: [1\n', 'Line 1 '],
    ['a: 1\nb: !python/object x\n', 'Line 2 '],
    ['a: 1\n\na: 2\n', 'Line 3 '],
    ['a: 1\n---\nb: 1\n', 'Line 2 '],
    ['&a [*a]\n', 'Line 1 '],
    [new Uint8Array([0x61, 0x3a, 0x20, 0xff]), 'Line 1 '],
    [`a: ${'['.repeat(5000)}`, 'Line 1 '],
  ])('%.30s is refused', async (text, place_) => {
    await put(text);
    const failure = await failureOf(get('a'));
    expect([failure.facts.code, failure.message]).toEqual(['SVC85057', expect.stringContaining(place_)]);
    expect(failure.message).not.toContain('action file');
  });

  it('is sure of nothing where too many numbers would change', async () => {
    await put(`${'- 12345678901234567890\n'.repeat(1500)}- 1\n`);
    for (const key of ['1499', '1500']) expect((await failureOf(get(key))).facts.code).toBe('SVC85057');
  });

  it('bounds what aliases expand to', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level += 1)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    await put(lines.join('\n'));
    expect((await failureOf(get('a0'))).facts.code).toBe('SVC85057');
  });

  it('refuses a folder and what is missing', async () => {
    expect((await failureOf(get('a'))).facts.code).toBe('SVC85000');
    path = place.root;
    expect((await failureOf(get('a'))).facts.code).toBe('SVC85000');
  });

  it.skipIf(lacks('python3'))('agrees with another reader', async () => {
    const text = 'a:\n- {b: "x\\ty", c: [1, -2, 3.5]}\n- >-\n  folded\n  text\n-\n- ~\nd: {e: true, f: null}\n';
    await put(text);
    const script = 'import json, sys, yaml\nprint(json.dumps(yaml.safe_load(sys.stdin)))';
    expect(await get('')).toEqual(
      JSON.parse(execFileSync('python3', ['-c', script], { input: text, encoding: 'utf8' })),
    );
  });
});

describe('FA_yaml_set', () => {
  it('changes the text of one value and leaves everything around it', async () => {
    await put(service);
    await set('web.list.1', 'c: d');
    expect(await content()).toBe(service.replace('- b   # keep', '- "c: d"   # keep'));
    await put(service);
    await set('base.size', 17);
    expect(await content()).toBe(service.replace('0x10', '17'));
    expect(await get('copy.size')).toBe(17);
    await put(service);
    await set('base.new', 1);
    expect(await get('copy')).toEqual({ image: 'app', size: 16, new: 1 });
    expect(await content()).toContain('# quoted');
    await put(service);
    await set('web.list.-1', 'x');
    await set('web.list.2', { y: [1] });
    expect(await get('web.list')).toEqual(['a', 'x', { y: [1] }]);
    expect(await content()).toContain('  <<: *base\n');
  });

  it.each([
    ['', 'a.b', 1, { a: { b: 1 } }],
    ['# only\n', 'a', 1, { a: 1 }],
    ['5\n', 'a.b', 1, { a: { b: 1 } }],
    ['a: 5\n', 'a.b.c', 1, { a: { b: { c: 1 } } }],
    ['a: {}\n', 'a.b', null, { a: { b: null } }],
    ['l: []\n', 'l.0.x', 1, { l: [{ x: 1 }] }],
    ['- [1]\n', '0.0', 'yes', [['yes']]],
    ['a:\n', 'a', 'multi\nline\n', { a: 'multi\nline\n' }],
    ['a: &x {k: 1}\nb: *x\n', 'b.k', 2, { a: { k: 1 }, b: { k: 2 } }],
  ])('%j: %s', async (before, key_path, value, after) => {
    await put(before);
    expect(await set(key_path, value)).toBe(true);
    expect(await get('')).toEqual(after);
    if (before.startsWith('#')) expect(await content()).toBe('# only\na: 1\n');
  });

  it.each([
    ['a: # one\nb: 1 # two\n', 'a', 5, 'a: 5 # one\nb: 1 # two\n'],
    ['a:\n# one\nb: 1\n', 'a', true, 'a: true\n# one\nb: 1\n'],
    ['- # one\n- b\n', '0', -1, '- -1 # one\n- b\n'],
    ['a: é # one\n', 'a', 'ü', 'a: ü # one\n'],
    ['# one\na: &x 1 # two\nb: [*x, 2]\nc: *x\n', 'a', 2, '# one\na: &x 2 # two\nb: [*x, 2]\nc: *x\n'],
    ['a: &x\n  k: 1 # one\nb: *x\n# two\n', 'a', 'no', 'a: &x "no" # one\nb: *x\n# two\n'],
    ['a: &x\n  k: 1 # one\nb: *x\n', 'a.k', 2, 'a: &x\n  k: 2 # one\nb: *x\n'],
    ['-\n  # one\n  a: 1 # two\n- b\n', '0', 'x', '-\n  # one\n  x # two\n- b\n'],
  ])('%j: %s changes nothing around it', async (before, key_path, value, after) => {
    await put(before);
    expect(await set(key_path, value)).toBe(true);
    expect(await content()).toBe(after);
  });

  it('refuses values that a YAML file could not hold', async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 255; depth += 1) deep = [deep];
    await put('a: 1\n');
    expect(await set('a', deep)).toBe(true);
    expect(await set('b', 'the text \\ud800 and \\\\ud800, 😀')).toBe(true);
    expect(await get('b')).toBe('the text \\ud800 and \\\\ud800, 😀');
    for (const [key, value] of [
      ['b.c', deep],
      ['b', 'x\ud800'],
      ['b', { k: ['\udc00'] }],
      [Array.from({ length: 257 }, () => 'k'), 1],
    ] as const) {
      expect((await failureOf(set(key, value))).facts).toMatchObject({ code: 'SVC85098', name: 'DataOpsException' });
    }
  });

  it('lets aliases follow a value that has an anchor', async () => {
    await put('a: &x 1\nl: &y [*x, {k: *x}]\nm: *y\n');
    await set('a', 2);
    expect(await get('')).toEqual({ a: 2, l: [2, { k: 2 }], m: [2, { k: 2 }] });
  });

  it('keeps line ends, a mark, permission bits, and leaves nothing beside the file', async () => {
    await put('\ufeffa: 1\r\nb: 2 # two\r\n');
    await chmod(path, 0o664);
    await set('c', [1]);
    await set('b', 3);
    expect(await content()).toMatch(/^\ufeffa: 1\r\nb: 3 # two\r\nc: ?(\r\n *- 1|\[1\])\r\n$/);
    expect((await stat(path)).mode & 0o777).toBe(0o664);
    expect(await readdir(place.root)).toEqual(['x.yaml']);
  });

  it.each([
    ['l: [1]\n', 'l.2', 'SVC85058'],
    ['l: [1]\n', 'l.-2', 'SVC85058'],
    ['l: [1]\n', 'l.x', 'SVC85059'],
    ['a: 1\n', '', 'SVC85048'],
    ['a: 1\n', 'b.__proto__', 'SVC85049'],
    ['a: [\n', 'a', 'SVC85057'],
    ['a: !x 1\nb: 2\n', 'b', 'SVC85057'],
    ['a: 1\nbig: 12345678901234567890\n', 'big', 'SVC85069'],
    ['a:\n  2: x\n  1: y # one\n', 'a.1', 'SVC85057'],
    ['? a\n# one\n? b\n# two\n', 'a', 'SVC85069'],
  ])('%j: %s is refused and changes nothing', async (before, key_path, code) => {
    await put(before);
    expect((await failureOf(set(key_path, 1))).facts).toMatchObject({ code, name: 'DataOpsException' });
    expect(await content()).toBe(before);
  });
});

describe('FA_yaml_delete', () => {
  it.each([
    ['a: 1 # one\n# about b\nb: 2\n', 'a', { b: 2 }],
    ['a:\n  b: 1\n', 'a.b', { a: {} }],
    ['- 1\n- 2\n- 3\n', '-2', [1, 3]],
    ['{a: 1, b: 2}\n', 'b', { a: 1 }],
    ['a: &x 1\nb: [*x, 2]\nc: *x\n', 'a', { b: [1, 2], c: 1 }],
    ['-\n  # one\n  a: 1\n-\n  # two\n  b: 2\n', '0', [{ b: 2 }]],
    ['l:\n  -\n    # one\n    a: 1\n', 'l.0', { l: [] }],
  ])('%j: %s', async (before, key_path, after) => {
    await put(before);
    expect(await remove(key_path)).toBe(true);
    expect(await get('')).toEqual(after);
  });

  it('keeps the comments above the only element', async () => {
    await put('l: # one\n# two\n- x # three\n# four\nb: 1\n');
    expect(await remove('l.0')).toBe(true);
    expect(await content()).toBe('l: [] # one\n# two\n# four\nb: 1\n');
  });

  it('writes out what aliases of a value stood for, and leaves the rest', async () => {
    await put('# one\na: &x {k: 1} # two\nb: *x # three\n');
    expect(await remove('a')).toBe(true);
    expect(await content()).toBe('# one\nb: { k: 1 } # three\n');
  });

  it('leaves the rest as it is', async () => {
    await put(service);
    expect(await remove('web.list.0')).toBe(true);
    expect(await content()).toBe(service.replace('    - a\n', ''));
  });

  it.each(['x', 'a.b', 'l.5', 'l.-3', 'l.x', 'a.0'])('%s: nothing there, nothing written', async (key_path) => {
    await put('a:   1\nl: [1, 2]');
    expect(await remove(key_path)).toBe(false);
    expect(await content()).toBe('a:   1\nl: [1, 2]');
  });

  it('refuses an empty path', async () => {
    await put('a: 1\n');
    expect((await failureOf(remove([]))).facts.code).toBe('SVC85048');
  });
});
