import { describe, expect, it } from 'vitest';

import { formatOf, readDocument } from '#grammar/document/read.ts';
import { printRoute } from '#grammar/document/route.ts';
import type { Route } from '#schemas/types/place.ts';

import { ownTime } from '../fixtures/own-time.ts';

async function read(
  text: string | Uint8Array,
  source = 'a.yaml',
  limits = {},
): Promise<Awaited<ReturnType<typeof readDocument>>> {
  return readDocument(text, { source, limits });
}

async function document(
  text: string,
  source = 'a.yaml',
): Promise<NonNullable<Awaited<ReturnType<typeof read>>['document']>> {
  const { document: found } = await read(text, source);
  if (found === undefined) throw new Error('There is no document.');
  return found;
}

async function codes(text: string | Uint8Array, source: string, limits = {}): Promise<readonly string[]> {
  return (await read(text, source, limits)).diagnostics.map(({ slug }) => slug);
}

it.each(['/*', '{}/*', '[1 /*', '/* a'])('a comment in which JSON ends has its place in the text: %s', async (text) => {
  const { diagnostics } = await read(text, 'a.json');
  const place = { start: text.indexOf('/*'), end: text.length };
  expect(diagnostics[0]).toMatchObject({ slug: 'json-comment', primary: { part: { text: place } } });
});

describe('limits', () => {
  it.each([
    ['bytes', '{"a": "0123456789"}', 'a.json', { bytes: 10 }, 'file-too-large'],
    ['bytes', 'a: 0123456789', 'a.yaml', { bytes: 10 }, 'file-too-large'],
    ['depth', '[[[1]]]', 'a.json', { depth: 2 }, 'too-deep'],
    ['depth', '[[[1]]]', 'a.yaml', { depth: 2 }, 'too-deep'],
    ['depth', '- - - 1', 'a.yaml', { depth: 2 }, 'too-deep'],
    ['depth, by an alias', 'a: &x [[1]]\nb: [*x]\n', 'a.yaml', { depth: 3 }, 'too-deep'],
    [
      'values behind aliases',
      'a: &x [1, 2, 3]\nb: [*x, *x]\n',
      'a.yaml',
      { aliased_values: 7 },
      'too-many-aliased-values',
    ],
  ])('of %s hold: %s', async (_, text, source, limits, slug) => {
    expect(await codes(text, source, limits)).toEqual([slug]);
    expect(await codes(text, source)).toEqual([]);
  });

  it('refuse a billion laughs at once', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, index) => `a${index + 1}: &a${index + 1} [${Array(10).fill(`*a${index}`).join(', ')}]`,
    );
    const taken = ownTime();
    expect(await codes(`a0: &a0 x\n${lines.join('\n')}\n`, 'a.yaml')).toEqual(['too-many-aliased-values']);
    expect(taken()).toBeLessThan(500);
  });

  it('are reached without memory for what is deeper', async () => {
    for (const source of ['a.json', 'a.yaml']) expect(await codes('['.repeat(1_400_000), source)).toEqual(['too-deep']);
  });
});

describe('files that are no text', () => {
  it.each(['a.json', 'a.yaml'])('give one exact diagnostic: %s', async (source) => {
    const bytes = (text: string, ...more: readonly number[]): Uint8Array =>
      Uint8Array.from([...new TextEncoder().encode(text), ...more]);
    expect(await codes(bytes('"a', 0xe9, 0x22), source)).toEqual(['not-utf8']);
    expect(await codes(bytes('"a', 0xf0, 0x9f), source)).toEqual(['file-cut-off']);
    expect(await codes(bytes('', 0xff, 0xfe, 0x5b, 0), source)).toEqual(['utf16-file']);
    expect(await codes('["a\0b"]', source)).toEqual(['nul-character']);
    expect(await codes('["a\ud83d"]', source)).toEqual(['lone-surrogate']);
    expect(await codes('{"a": [1, {"b": "x"', source)).toEqual([
      source === 'a.json' ? 'json-not-closed' : 'yaml-not-closed',
    ]);
  });

  it('are shown leniently in frames', async () => {
    const { text } = await read(Uint8Array.from([0x61, 0xe9, 0x62]));
    expect(text).toBe('a\ufffdb');
  });
});

it('a byte order mark is accepted, remembered, and counts in no place', async () => {
  for (const [source, text] of [
    ['a.json', '\ufeff{"a": 1}'],
    ['a.yaml', '\ufeffa: 1\n'],
  ] as const) {
    const found = await document(text, source);
    expect(found.hadByteOrderMark).toBe(true);
    expect(found.text).toBe(text.slice(1));
    expect(found.spanAt(['a'], 'key')).toEqual(source === 'a.json' ? { start: 1, end: 4 } : { start: 0, end: 1 });
  }
});

it('the format comes from the ending, else from the first character', () => {
  expect(
    ['a.json', 'A.JSON', 'x/a.yaml', 'a.yml', '<stdin>', 'a.txt'].map((source) => formatOf(source, ' \n{"a": 1}')),
  ).toEqual(['json', 'json', 'yaml', 'yaml', 'json', 'json']);
  expect(formatOf('<stdin>', '# c\n[a]')).toBe('yaml');
  expect(formatOf('<stdin>', '[a]')).toBe('json');
});

describe('places', () => {
  const text = 'top: # c\n  - name: "a\\tb"\n    list: [1, {x: y}]\n    empty:\n  - &k {v: 1}\n  - *k\n';
  const shown = async (route: Route, part?: 'key' | 'value' | readonly [number, number]): Promise<string> => {
    const { start, end } = (await document(text)).spanAt(route, part);
    return text.slice(start, end);
  };

  it('are those of keys, values and parts of texts', async () => {
    expect(await shown(['top'], 'key')).toBe('top');
    expect(await shown(['top', 0, 'name'])).toBe('"a\\tb"');
    expect(await shown(['top', 0, 'name'], 'key')).toBe('name');
    expect(await shown(['top', 0, 'name'], [1, 2])).toBe('\\t');
    expect(await shown(['top', 0, 'list', 1, 'x'])).toBe('y');
    expect(await shown(['top', 0, 'list', 1], 'key')).toBe('{x: y}');
    expect(await shown(['top', 0, 'empty'])).toBe('');
    expect(await shown(['top', 0])).toMatch(/^name: .*\n.*\n {4}empty:$/);
    expect(await shown([])).toBe(text.trimEnd());
  });

  it('of what is not there are those of what is around it', async () => {
    expect(await shown(['top', 0, 'list', 1, 'nope', 3])).toBe('{x: y}');
    expect(await shown(['top', 9])).toBe(await shown(['top']));
    expect(await shown(['top', 'name'])).toBe(await shown(['top']));
  });

  it('behind an alias are those of the anchor', async () => {
    const found = await document(text);
    expect(await shown(['top', 2, 'v'])).toBe('1');
    expect(found.spanAt(['top', 2, 'v'])).toEqual(found.spanAt(['top', 1, 'v']));
    expect(
      [
        ['top', 1, 'v'],
        ['top', 2],
        ['top', 2, 'v'],
        ['top', 0],
      ].map((route) => found.isAliased(route)),
    ).toEqual([false, true, true, false]);
  });

  it('lead back to routes', async () => {
    const found = await document(text);
    const routeOf = (part: string): string => printRoute(found.routeAt(text.indexOf(part)));
    expect([routeOf('top'), routeOf('name'), routeOf('tb"'), routeOf('y}'), routeOf('v: 1'), routeOf('*k')]).toEqual([
      'top',
      'top[0].name',
      'top[0].name',
      'top[0].list[1].x',
      'top[1].v',
      'top[2]',
    ]);
  });

  it('of numbered and strange keys are found', async () => {
    const found = await document('{"10": 1, "2": 2, "a": {"__proto__": 3, "": 4}}', 'a.json');
    expect(found.spanAt(['2'])).toEqual({ start: 15, end: 16 });
    expect(found.spanAt(['a', '__proto__'])).toEqual({ start: 37, end: 38 });
    expect(found.spanAt(['a', ''], 'key')).toEqual({ start: 40, end: 42 });
  });

  it('in block texts count the indentation', async () => {
    const block = 'a:\n  b: |\n    one\n    two {{x}}\n  c: >-\n    some\n    more\n\n    last\n';
    const found = await document(block);
    const part = (route: Route, from: number, to: number): string => {
      const { start, end } = found.spanAt(route, [from, to]);
      return block.slice(start, end);
    };
    expect(part(['a', 'b'], 8, 13)).toBe('{{x}}');
    expect(part(['a', 'c'], 5, 9)).toBe('more');
    expect(part(['a', 'c'], 10, 14)).toBe('last');
  });
});

describe('comments', () => {
  it('are all found, and nothing else', async () => {
    const text =
      '# one\na: 1 # two\nb: "# no" # three\nc: |\n  # no\n# four\nd: x#no\n  \ne: [1, # five\n  2]\nf: \'#\' #\n';
    expect((await document(text)).comments().map(({ text: found, ownLine }) => [found, ownLine])).toEqual([
      ['one', true],
      ['two', false],
      ['three', false],
      ['four', true],
      ['five', false],
      ['', false],
    ]);
  });

  it('are not in JSON', async () => {
    expect((await document('{"a": "# no"}', 'a.json')).comments()).toEqual([]);
  });
});

it('values in error are poisoned, with all below them, and others are not', async () => {
  const { document: found, diagnostics } = await read(
    'a: .inf\nb: {c: 1, c: 2, d: {{x}}}\ne: [1e999, 2]\nf: !x {g: 1}\n',
  );
  expect(diagnostics).toHaveLength(5);
  const poisoned = [['a'], ['b'], ['b', 'c'], ['b', 'd'], ['e'], ['e', 0], ['e', 1], ['f'], ['f', 'g']].map((route) => [
    printRoute(route),
    found?.isPoisoned(route),
  ]);
  expect(poisoned).toEqual([
    ['a', true],
    ['b', false],
    ['b.c', true],
    ['b.d', true],
    ['e', false],
    ['e[0]', true],
    ['e[1]', false],
    ['f', true],
    ['f.g', true],
  ]);
});

it('a mistake behind an anchor is reported once, and poisons every alias', async () => {
  const { document: found, diagnostics } = await read('a: &x [.inf, 1]\nb: *x\nc: {d: *x}\n');
  expect(diagnostics.map(({ slug }) => slug)).toEqual(['not-finite']);
  expect([['b', 0], ['c', 'd', 0], ['b', 1], ['b'], ['c', 'd', 1]].map((route) => found?.isPoisoned(route))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it('a damaged file does not fill the memory with findings', async () => {
  const { diagnostics } = await read(`{${'"a": 1, '.repeat(100_000)}"b": 1}`, 'a.json');
  expect(diagnostics).toHaveLength(1000);
});

it('no value can be reached by a name that every object has', async () => {
  const { value } = await document('{"a": 1}', 'a.json');
  expect(Object.keys(value as object)).toEqual(['a']);
  const proto = await document('__proto__: {polluted: true}\n');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(Object.hasOwn(proto.value as object, '__proto__')).toBe(true);
});
