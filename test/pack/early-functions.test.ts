import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import { compileEarly } from '../../.ci/build/early-functions.ts';
import { functionNames } from '../../.ci/build/function-names.ts';
import { root } from '../built.ts';

/** A module with every way of writing a function, of which the results are `results`. */
const MODULE = `import path from "node:path";
export const before = add(1, 2);
function add(a, b) { "use strict"; return sum(); function sum() { return a + b } }
async function* three() { yield 1; yield* [2, 3] }
const object = {
  short(x) { return x + this.base }, base: 10, async later() { return "later" }, *many() { yield this.base },
  ["com" + "puted"](x) { return x }, get got() { return 7 }, set got(x) { this.base = x },
  toString() { return super.toString() },
};
class Counted { #n = 0; up = () => this.#up(); #up() { return ++this.#n } static one() { return 1 } }
const arrow = x => ({ x }), whole = async (x = () => 3) => x(), named = function self(n) { return n ? self(n - 1) : self.name };
export const results = async () => [
  before, object.short(1), await object.later(), ...object.many(), object.computed(5), object.got, String(object),
  new Counted().up(), Counted.one(), arrow(1), await whole(), named(2), add.name, arrow.name, object.short.name,
  await Array.fromAsync(three()), path.sep.length,
];
export default function () { return "default" }
`;

test('functions that are called early are enclosed, and do what they did', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-early-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const every = new Set(Array.from(MODULE, (_, offset) => offset));
  const early = compileEarly(MODULE, every);
  const results = async (text: string, name: string): Promise<unknown> => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const module = (await import(pathToFileURL(file).href)) as { results(): Promise<unknown>; default(): unknown };
    return [await module.results(), module.default()];
  };
  expect(await results(early, 'early.mjs')).toEqual(await results(MODULE, 'plain.mjs'));
  expect(early).toContain('import path from "node:path";;var add=(function add(');
  expect(early).toContain('var sum=(function sum() { return a + b });');
  expect(early).toContain('short:(function(x)');
  expect(early).toContain('later:(async function()');
  expect(early).toContain('many:(function*()');
  expect(early).toContain('up = (() => this.#up())');
  expect(early).toContain('toString() { return super.toString() }');
  expect(early).toContain('get got() {');
});

test('functions that nobody calls stay as they are', () => {
  expect(compileEarly(MODULE, new Set())).toBe(MODULE);
});

test('functions have names that stay when they are compiled early', () => {
  const early = compileEarly(MODULE, new Set(Array.from(MODULE, (_, offset) => offset)));
  const names = [...functionNames(MODULE).values()].toSorted();
  expect([...functionNames(early).values()].toSorted()).toEqual(names);
  expect(names).toEqual(
    expect.arrayContaining(['add', 'add/sum', 'three', 'short', 'later', 'up', 'up#2', 'whole', 'whole/=>', 'self']),
  );
});

test('the list of functions that runs call speaks of sources that there are', () => {
  const file = path.join(root, '.ci/build/functions-of-runs.json');
  const listed = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly string[]>>;
  const missing = Object.keys(listed).filter((source) => !existsSync(path.join(root, source)));
  expect(missing, 'list them anew: node .ci/bootstrap.cjs build --list-runs').toEqual([]);
  expect(Object.values(listed).flat().length).toBeGreaterThan(500);
});
