import fc from 'fast-check';
import { DirectedGraph } from 'graphology';
import { hasCycle } from 'graphology-dag';
import { describe, expect, it } from 'vitest';

import { orderByDependency } from '#compiler/graph/dag.ts';
import { partition } from '#grammar/shard/partition.ts';
import { openDigest } from '#runtime/hosts/node/digest/digest.ts';

const graphs = fc.integer({ min: 1, max: 8 }).chain((size) =>
  fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 14 }).map((edges) => ({
    names: Array.from({ length: size }, (_, index) => String(index)),
    edges: edges.map(([later, earlier]) => [String(later), String(earlier)] as const),
  })),
);

function dependenciesOf(edges: readonly (readonly [string, string])[]): (name: string) => readonly string[] {
  return (name) => [...new Set(edges.filter(([later]) => later === name).map(([, earlier]) => earlier))];
}

describe('orderByDependency', () => {
  it('orders what has no cycle, and shows the cycle of what has one', () => {
    fc.assert(
      fc.property(graphs, ({ names, edges }) => {
        const dependencies = dependenciesOf(edges);
        const result = orderByDependency(names, dependencies);
        const oracle = new DirectedGraph();
        for (const name of names) oracle.addNode(name);
        for (const [later, earlier] of edges) oracle.mergeEdge(earlier, later);
        expect('cycle' in result).toBe(hasCycle(oracle));
        if ('cycle' in result) {
          expect(result.cycle.at(-1)).toBe(result.cycle[0]);
          for (const [index, name] of result.cycle.slice(0, -1).entries())
            expect(dependencies(name)).toContain(result.cycle[index + 1]);
          return;
        }
        expect(result.order.toSorted()).toEqual(names.toSorted());
        for (const [later, earlier] of edges)
          expect(result.order.indexOf(earlier)).toBeLessThan(result.order.indexOf(later));
        for (const one of names)
          for (const other of names) expect(result.isBefore(one, other)).toBe(reaches(one, other, edges));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the given order where nothing asks for another', () => {
    const result = orderByDependency(['d', 'a', 'b', 'c'], dependenciesOf([['a', 'c']]));
    expect('order' in result && result.order).toEqual(['d', 'c', 'a', 'b']);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'knows a name like %s, which every object has',
    (name) => {
      const result = orderByDependency(
        ['last', name, 'first'],
        dependenciesOf([
          ['last', name],
          [name, 'first'],
        ]),
      );
      if ('cycle' in result) throw new Error('there is no cycle');
      expect(result.order).toEqual(['first', name, 'last']);
      expect([result.dependencies('last'), result.dependents('first')]).toEqual([[name], [name]]);
      expect([result.isBefore('first', 'last'), result.isBefore(name, 'first')]).toEqual([true, false]);
      expect(result.generations()).toEqual([['first'], [name], ['last']]);
      expect(
        orderByDependency(
          ['a', name],
          dependenciesOf([
            ['a', name],
            [name, 'a'],
          ]),
        ),
      ).toEqual({ cycle: ['a', name, 'a'] });
    },
  );

  it('is linear in a chain of a hundred thousand', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => String(index));
    const result = orderByDependency(names, (name) => (name === '99999' ? [] : [String(Number(name) + 1)]));
    expect('order' in result && result.order[0]).toBe('99999');
  });
});

function reaches(earlier: string, later: string, edges: readonly (readonly [string, string])[]): boolean {
  const seen = new Set<string>();
  const waiting = [later];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const before of dependenciesOf(edges)(name)) {
      if (before === earlier) return true;
      if (!seen.has(before)) waiting.push(before);
      seen.add(before);
    }
  }
  return false;
}

describe('partition', () => {
  const sha1 = (text: string): string => {
    const digest = openDigest('sha1');
    digest?.update(new TextEncoder().encode(text));
    return digest?.hex() ?? '';
  };

  // The samples of the catalogue (WR_partition).
  it.each([
    ['a.json', { 2: 1, 3: 3, 4: 3 }],
    ['b.json', { 2: 2, 3: 2, 4: 2 }],
    ['tests/login.json', { 2: 1, 3: 3, 4: 3 }],
    ['./tests\\login.json', { 2: 1, 3: 3, 4: 3 }],
  ])('puts %s where other runners put it', (path, places) => {
    for (const [total, index] of Object.entries(places)) {
      for (let shard = 1; shard <= Number(total); shard += 1) {
        expect(partition([path], { index: shard, total: Number(total) }, sha1)).toEqual(shard === index ? [path] : []);
      }
    }
  });
});
