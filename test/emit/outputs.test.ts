import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { placeOutputs } from '#compiler/phases/7-emit/outputs.ts';

const files = (...paths: string[]) => paths.map((path) => ({ source: path, path }));
const programs = (...paths: string[]) => placeOutputs(files(...paths)).outputs.map(({ program }) => program);

describe('outputs', () => {
  it.each([
    [['/p/shop/login.yaml'], ['login.mjs']],
    [
      ['/p/shop/a.yaml', '/p/shop/b/c.json'],
      ['a.mjs', 'b/c.mjs'],
    ],
    [
      ['/p/shop/a/x.yml', '/p/shop/b/x.YAML'],
      ['a/x.mjs', 'b/x.mjs'],
    ],
    [
      ['/p/shop/x.yaml', '/p/shopping/x.yaml'],
      ['shop/x.mjs', 'shopping/x.mjs'],
    ],
    [
      ['b.yaml', 'a.yaml'],
      ['b.mjs', 'a.mjs'],
    ],
    [
      ['/p/a.b.yaml', '/p/a.json.yaml'],
      ['a.b.mjs', 'a.json.mjs'],
    ],
    [['/p/noextension'], ['noextension.mjs']],
  ])('of %j mirror the paths below their common folder', (paths, expected) => {
    expect(programs(...paths)).toEqual(expected);
  });

  it('of standard input stand beside the others', () => {
    const { outputs } = placeOutputs([{ source: '<stdin>', path: '<stdin>' }, ...files('/p/a/x.yaml')]);
    expect(outputs).toEqual([
      { source: '<stdin>', program: 'stdin.mjs', map: 'stdin.mjs.map', plan: 'stdin.plan.json' },
      { source: '/p/a/x.yaml', program: 'x.mjs', map: 'x.mjs.map', plan: 'x.plan.json' },
    ]);
  });

  it.each([
    ['two extensions', ['/p/x.yaml', '/p/x.json'], 'x.mjs'],
    ['two cases', ['/p/Login.yaml', '/p/login.yaml'], 'login.mjs'],
    ['two forms of one letter', ['/p/caf\u00e9.yaml', '/p/cafe\u0301.yaml'], 'cafe\u0301.mjs'],
  ])('that would be one file are found: %s', (_, [first = '', second = ''], output) => {
    expect(placeOutputs(files(first, second)).collisions).toEqual([{ output, first, second }]);
  });

  it('are as many as there are sources, and differ unless a collision says so', () => {
    const segment = fc.constantFrom('a', 'b', 'shop', 'x.y');
    const path = fc
      .tuple(fc.array(segment, { maxLength: 3 }), segment, fc.constantFrom('.yaml', '.json'))
      .map(([folders, name, ending]) => `/${[...folders, name].join('/')}${ending}`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 8 }), (paths) => {
        const { outputs, collisions } = placeOutputs(files(...paths));
        expect(outputs.map(({ source }) => source)).toEqual(paths);
        expect(new Set(outputs.map(({ program }) => program)).size).toBe(paths.length - collisions.length);
        expect(outputs.every(({ program }) => !program.startsWith('/') && !program.includes('..'))).toBe(true);
      }),
    );
  });
});
