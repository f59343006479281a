import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canonicalJson } from '#compiler/phases/6-plan/canonical.ts';

describe('canonical JSON', () => {
  it('sorts names by UTF-16 units, also those that look like numbers', () => {
    expect(canonicalJson({ b: [], 9: {}, 10: null, a: 'ä\n', '\uFF5E': 1, '\u{10000}': -0.5 })).toBe(
      '{"10":null,"9":{},"a":"ä\\n","b":[],"\u{10000}":-0.5,"\uFF5E":1}',
    );
  });

  it('leaves out names without a value', () => {
    expect(canonicalJson({ a: undefined, b: { c: undefined }, d: [{ e: undefined, f: 1 }] })).toBe(
      '{"b":{},"d":[{"f":1}]}',
    );
  });

  it('sorts names that every object knows, numbers and deep values in lists too', () => {
    const proto = JSON.parse('{"z": 1, "__proto__": {"d": 1, "c": [{"10": 1, "9": 2}]}}') as unknown;
    expect(canonicalJson([proto, null])).toBe('[{"__proto__":{"c":[{"10":1,"9":2}],"d":1},"z":1},null]');
    let deep: unknown = 1;
    for (let depth = 0; depth < 200; depth += 1) deep = [{ b: 1, a: deep }];
    expect(canonicalJson(deep)).toBe(`${'[{"a":'.repeat(200)}1${',"b":1}]'.repeat(200)}`);
  });

  it('keeps the order of names in what the user wrote', () => {
    const written = { lit: { b: [{ d: 1, c: 2 }], a: 3 } };
    expect(canonicalJson({ z: written, matrix: { y: 1, x: 2 }, list: [{ default: { f: 1, e: 2 }, a: written }] })).toBe(
      '{"list":[{"a":{"lit":{"b":[{"d":1,"c":2}],"a":3}},"default":{"f":1,"e":2}}],"matrix":{"y":1,"x":2},"z":{"lit":{"b":[{"d":1,"c":2}],"a":3}}}',
    );
  });

  it('means the same, whatever the order in which names were added', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, reversed(item)]),
  );
}
