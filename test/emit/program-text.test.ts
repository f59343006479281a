import { SourceMap } from 'node:module';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { programText as programOf } from '#compiler/phases/7-emit/program-text.ts';
import { sourceMap } from '#compiler/phases/7-emit/source-map.ts';
import type { Places } from '#schemas/types/plan.ts';

const places: Places = {
  'shop/a.yaml#0': { file: 'shop/a.yaml', line: 3, column: 3, text: 'first' },
  'shop/a.yaml#1.then.0': { file: 'shop/a.yaml', line: 7, column: 9, text: 'nested' },
  'shop/a.yaml#1': { file: 'shop/a.yaml', line: 5, column: 3, text: 'second' },
  'shop/b.yaml#x"\\y': { file: 'shop/b.yaml', line: 1, column: 1, text: 'odd' },
};
const plan = JSON.stringify({
  units: [
    {
      body: [
        { id: 'shop/a.yaml#0' },
        { args: { then: { block: [{ id: 'shop/a.yaml#1.then.0' }] } }, id: 'shop/a.yaml#1' },
        { id: 'shop/b.yaml#x"\\y', name: 'ä"\u2028' },
      ],
    },
  ],
});
const parts = {
  plan,
  hash: 'a'.repeat(64),
  places,
  settings: '{"gates":{}}',
  library: 'globalThis.out = __svc_program;',
  generator: 'svc 0.1.0',
  packages: {},
  modules: {},
};

interface Data {
  readonly plan: unknown;
  readonly hash: string;
  readonly places: Places;
  readonly settings: unknown;
  readonly stops?: readonly ((step: unknown) => unknown)[];
}
function evaluate(text: string): Data {
  const context: { out?: Data } = {};
  runInNewContext(`globalThis = this;${text}`, context);
  if (!context.out) throw new Error('the program gave nothing');
  return context.out;
}

const programText = (
  given: Parameters<typeof programOf>[0],
): Omit<ReturnType<typeof programOf>, 'pieces'> & { text: string } => {
  const { pieces, ...rest } = programOf(given);
  return { ...rest, text: pieces.join('') };
};

describe('the text of a program', () => {
  it.each([false, true])('gives its data back (debug: %s)', (debug) => {
    const data = evaluate(programText({ ...parts, debug }).text);
    expect(JSON.stringify(data.plan)).toBe(plan);
    expect(JSON.stringify(data.places)).toBe(JSON.stringify(places));
    expect(JSON.stringify(data.settings)).toBe('{"gates":{}}');
    expect(data.hash).toBe(parts.hash);
    expect(data.stops?.length).toBe(debug ? 4 : undefined);
  });

  it('takes any text of a user as data, never as code', () => {
    const nasty = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '__proto__',
        'constructor',
        '"); process.exit(); ("',
        '\u2028\u2029',
        '*/ x /*',
        '${x}',
        '`',
        '\\',
        '</script>',
        '\\u0022',
      ),
    );
    const json = fc.dictionary(nasty, fc.oneof(nasty, fc.integer(), fc.constant(null), fc.array(nasty)));
    fc.assert(
      fc.property(json, nasty, (value, word) => {
        const own = { [`a.yaml#${word}`]: { file: `a${word}.yaml`, line: 1, column: 1, text: word } };
        const text = JSON.stringify({ units: [value, { id: `a.yaml#${word}` }] });
        const data = evaluate(
          programText({ ...parts, plan: text, places: own, settings: JSON.stringify(value), debug: true }).text,
        );
        expect(JSON.stringify(data.plan)).toBe(text);
        expect(JSON.stringify(data.settings)).toBe(JSON.stringify(value));
        expect(JSON.stringify(data.places)).toBe(JSON.stringify(own));
      }),
    );
  });

  it('keeps a key called __proto__ a key', () => {
    const data = evaluate(programText({ ...parts, plan: '{"__proto__":{"polluted":true}}', debug: false }).text);
    expect(Object.keys(data.plan as object)).toEqual(['__proto__']);
  });

  it('ties each line of a step to its place when it is made for a debugger', () => {
    const { text, sources, mappings } = programText({ ...parts, debug: true });
    const map = new SourceMap(
      JSON.parse(sourceMap('a.mjs', sources, mappings)) as ConstructorParameters<typeof SourceMap>[0],
    );
    const found = text
      .split('\n')
      .flatMap((line, index) =>
        line.includes('(step, parameters) => step') ? [map.findEntry(index, line.lastIndexOf('step'))] : [],
      );
    expect(
      found.map(
        (entry) => 'originalSource' in entry && [entry.originalSource, entry.originalLine, entry.originalColumn],
      ),
    ).toEqual([
      ['shop/a.yaml', 2, 2],
      ['shop/a.yaml', 6, 8],
      ['shop/a.yaml', 4, 2],
      ['shop/b.yaml', 0, 0],
    ]);
  });

  it('ties the data of each step to its place', () => {
    const { text, sources, mappings } = programText({ ...parts, debug: false });
    const map = new SourceMap(
      JSON.parse(sourceMap('a.mjs', sources, mappings)) as ConstructorParameters<typeof SourceMap>[0],
    );
    const line = text.split('\n')[1] ?? '';
    const at = (id: string): unknown => {
      const entry = map.findEntry(1, line.indexOf(`"id":${JSON.stringify(id)}`.replace(/[\\']/g, '\\$&')));
      return 'originalSource' in entry && [entry.originalSource, entry.originalLine, entry.originalColumn];
    };
    expect(at('shop/a.yaml#0')).toEqual(['shop/a.yaml', 2, 2]);
    expect(at('shop/a.yaml#1.then.0')).toEqual(['shop/a.yaml', 6, 8]);
    expect(at('shop/a.yaml#1')).toEqual(['shop/a.yaml', 4, 2]);
    expect(at('shop/b.yaml#x"\\y')).toEqual(['shop/b.yaml', 0, 0]);
  });
});

describe('a source map', () => {
  it('says what was put in, whatever the order of sources and lines', () => {
    const mapping = fc.record({
      line: fc.nat(20),
      column: fc.nat(2_000_000),
      source: fc.nat(3),
      sourceLine: fc.nat(2_000_000),
      sourceColumn: fc.nat(300),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(mapping, { minLength: 1, maxLength: 30, selector: ({ line, column }) => `${line}:${column}` }),
        (given) => {
          const sorted = given.toSorted((a, b) => a.line - b.line || a.column - b.column);
          const names = ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'];
          const map = new SourceMap(
            JSON.parse(sourceMap('x.mjs', names, sorted)) as ConstructorParameters<typeof SourceMap>[0],
          );
          for (const { line, column, source, sourceLine, sourceColumn } of sorted) {
            expect(map.findEntry(line, column)).toMatchObject({
              generatedLine: line,
              generatedColumn: column,
              originalSource: names[source],
              originalLine: sourceLine,
              originalColumn: sourceColumn,
            });
          }
        },
      ),
    );
  });
});
