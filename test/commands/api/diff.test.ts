import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Json } from '#schemas/types/json.ts';
import { equalJson } from '#stdlib/api/equal-json.ts';

import { call } from '../call.ts';

describe('AT_diff_payloads', () => {
  const diff = async (left: unknown, right: unknown, ignore_paths: string[] = []): Promise<unknown> =>
    call('AT_diff_payloads', { left, right, ignore_paths });

  test.each([
    [1, 1, {}],
    [1, true, { changed: { '<root>': [1, true] } }],
    [{ a: 1 }, [1], { changed: { '<root>': [{ a: 1 }, [1]] } }],
    [{ a: { b: 1 } }, { a: null }, { changed: { a: [{ b: 1 }, null] } }],
    [[1, [2]], [1, [3, 4]], { changed: { '[1][0]': [2, 3] }, added: { '[1][1]': 4 } }],
    [{ 'a.b': 1, '': 2 }, {}, { removed: { '["a.b"]': 1, '[""]': 2 } }],
  ])('%j and %j', async (left, right, expected) => {
    expect(await diff(left, right)).toEqual({ added: {}, removed: {}, changed: {}, ...expected });
  });

  test('leaves ignored places out on either side, with all below them', async () => {
    const left = { meta: { at: 1, by: 'a' }, gone: 1, items: [{ id: 1 }] };
    const right = { meta: { at: 2 }, come: 1, items: [{ id: 2 }] };
    expect(await diff(left, right, ['meta', 'gone', 'come', 'items[0].id'])).toEqual({
      added: {},
      removed: {},
      changed: {},
    });
    expect(await diff(left, right, ['items', 'met'])).toMatchObject({ removed: { 'meta.by': 'a', gone: 1 } });
  });

  test('tells keys that objects of the language have by themselves', async () => {
    const diff = (await call('AT_diff_payloads', {
      left: JSON.parse('{ "__proto__": 1, "constructor": 2 }') as unknown,
      right: JSON.parse('{ "__proto__": { "x": 1 }, "toString": 3 }') as unknown,
    })) as Record<string, object>;
    expect(Object.entries(diff['changed'] ?? {})).toEqual([['__proto__', [1, { x: 1 }]]]);
    expect(Object.entries(diff['removed'] ?? {})).toEqual([['constructor', 2]]);
    expect(Object.entries(diff['added'] ?? {})).toEqual([['toString', 3]]);
  });

  test('finds nothing exactly where values are equal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (left, right) => {
        const { added, removed, changed } = (await diff(left, right)) as Record<string, object>;
        const count = [added, removed, changed].flatMap((part) => Object.keys(part ?? {})).length;
        expect(count === 0).toBe(equalJson(left as Json, right as Json));
      }),
      { numRuns: 50 },
    );
  });
});
