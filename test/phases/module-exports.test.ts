import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';

import { exportedNames } from '#compiler/phases/4-resolve/module-exports.ts';

import { root } from '../built.ts';

describe('exportedNames', () => {
  it.each([
    ['export function a() {}\nexport async function* b() {}', ['a', 'b']],
    ['export class A {}; export const b = () => { c, d }; export let e', ['A', 'b', 'e']],
    ['const a = 1;export{a as b,a as default};', ['b', 'default']],
    ["export * as ns from './x.js'; export { a } from './y.js'", ['a', 'ns']],
    ['export default class {}', ['default']],
    ['/** a */ export const a = 1;\n// export const b = 1;\n/* export const c = 1; */', ['a']],
    [
      'export type A = 1; export interface B {}; export enum C {}; export declare const d: 1; export { type E, f }',
      ['C', 'd', 'f'],
    ],
    ['const exported = 1; importexport.x = 2;', []],
  ])('%s', (text, names) => expect(exportedNames(text)).toEqual(names));

  it.each([
    "export * from './x.js'",
    'export default { a() {} }',
    'export default make()',
    'export const a = 1, b = 2',
    'export const { a } = x',
    'export let a, b',
    'module.exports = {}',
    'exports.a = 1',
    'export const a = 1,\n  b = 2',
  ])('leaves to the run: %s', (text) => expect(exportedNames(text)).toBeUndefined());

  it('misses none that a real parser finds', async () => {
    const files = globSync('node_modules/**/*.{mjs,ts}', {
      cwd: root,
      dot: true,
      ignore: ['**/*.d.ts', '**/*.test-d.ts', '**/*.tst.ts'],
    })
      .filter((file) => statSync(join(root, file)).size < 200_000)
      .slice(0, 400);
    expect(files.length).toBeGreaterThan(100);
    const texts = new Map(files.map((file) => [join(root, file), readFileSync(join(root, file), 'utf8')]));
    const told = [...texts]
      .map(([file, text]) => ({ file, names: exportedNames(text) }))
      .filter(({ names }) => names !== undefined);
    expect(told.length).toBeGreaterThan(files.length / 4);
    const { metafile } = await build({
      entryPoints: told.map(({ file }) => file),
      bundle: false,
      write: false,
      metafile: true,
      absWorkingDir: root,
      outdir: '/out',
      format: 'esm',
      logLevel: 'silent',
    });
    for (const { exports, entryPoint } of Object.values(metafile.outputs)) {
      const names = told.find(({ file }) => file === join(root, entryPoint ?? ''))?.names;
      expect(names, entryPoint).toEqual(expect.arrayContaining(exports));
    }
  });
});
