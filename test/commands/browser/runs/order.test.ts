import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { failureOf, session } from '../../call.ts';

let root = '';
const at = (name: string): string => join(root, name);
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-order-'));
  await mkdir(at('more'));
  const meta = { 'a.json': { depends_on: ['b', 'sub/c.yaml', 'a', 'none'] }, 'b.json': { tags: ['x'] }, 'c.yaml': {} };
  for (const [name, value] of Object.entries(meta)) await writeFile(at(name), JSON.stringify({ meta: value }));
  await writeFile(at('more/b.yaml'), 'meta: { depends_on: [1] }');
});
afterAll(() => rm(root, { recursive: true }));

describe('WR_topological_order', () => {
  const order = async (graph: object): Promise<unknown> => {
    await using unit = await session();
    return unit.call('WR_topological_order', { graph });
  };

  it.each([
    [{ c: ['a'], b: [], a: [] }, ['b', 'a', 'c']],
    [{}, []],
    [{ a: ['b', 'b'], b: [] }, ['b', 'a']],
    [{ d: ['b', 'c'], c: ['a'], b: ['a'], a: [] }, ['a', 'c', 'b', 'd']],
    [{ toString: [], constructor: ['toString'] }, ['toString', 'constructor']],
  ])('orders %j', async (graph, expected) => {
    expect(await order(graph)).toEqual(expected);
  });

  it('prints the circle, without what only leads to it', async () => {
    const failure = await failureOf(order({ z: ['a'], a: ['b'], b: ['c'], c: ['b'] }));
    expect(failure.message).toBe('These files depend on each other in a circle: b -> c -> b.');
  });

  it('names what is missing', async () => {
    const failure = await failureOf(order({ a: ['b'] }));
    expect(failure.message).toBe('"a" depends on "b", which is not in the graph.');
  });

  it('takes a long chain', async () => {
    const graph = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, i === 0 ? [] : [`f${i - 1}`]]));
    expect(await order(graph)).toHaveLength(20_000);
  });
});

describe('WR_skip_dependents_of_failed', () => {
  it('follows dependencies over others, and does not list what failed', async () => {
    await using unit = await session();
    const graph = { report: ['pay'], about: [], pay: ['login'], login: [], shop: ['login', 'about'] };
    const skipped = (failed: string[]): Promise<unknown> =>
      unit.call('WR_skip_dependents_of_failed', { graph, failed });
    expect(await skipped(['login'])).toEqual(['report', 'pay', 'shop']);
    expect(await skipped(['pay', 'report'])).toEqual([]);
    expect(await skipped([])).toEqual([]);
  });
});

describe('WR_build_dependency_graph', () => {
  it('matches by name without folder and ending, drops what is unknown and what is the file itself', async () => {
    await using unit = await session();
    const paths = [at('a.json'), at('b.json'), at('c.yaml')];
    expect(await unit.call('WR_build_dependency_graph', { paths })).toEqual({
      [at('a.json')]: [at('b.json'), at('c.yaml')],
      [at('b.json')]: [],
      [at('c.yaml')]: [],
    });
  });

  it('takes what follows a dot in a name for its ending only where action files end so', async () => {
    const depending = (...depends_on: string[]): string => JSON.stringify({ meta: { depends_on } });
    await writeFile(at('set.json'), depending('log.v2', 'set.v1', 'none.v1'));
    await writeFile(at('set.v1.json'), '[]');
    await writeFile(at('log.v2.json'), depending('set.v1', 'sub/set.json', 'set.v3'));
    await using unit = await session();
    const graph = (names: readonly string[], strict = false): Promise<unknown> =>
      unit.call('WR_build_dependency_graph', { paths: names.map(at), strict });
    const names = ['set.json', 'set.v1.json', 'log.v2.json'];
    expect(await graph(names)).toEqual({
      [at('set.json')]: [at('log.v2.json'), at('set.v1.json')],
      [at('set.v1.json')]: [],
      [at('log.v2.json')]: [at('set.v1.json'), at('set.json')],
    });
    expect((await failureOf(graph(names, true))).message).toContain('"none.v1"');
  });

  it('fails at two files of one name, and at lists that hold no texts', async () => {
    await using unit = await session();
    const build = (...names: string[]): Promise<unknown> =>
      unit.call('WR_build_dependency_graph', { paths: names.map(at) });
    expect((await failureOf(build('b.json', 'more/b.yaml'))).facts.code).toBe('SVC82007');
    expect((await failureOf(build('more/b.yaml'))).facts.code).toBe('SVC82003');
  });
});

describe('WR_filter_paths', () => {
  it('compares tags as text, and a tag that stands alone', async () => {
    await writeFile(at('year.yaml'), 'meta: { tags: [2026, true, null, Smoke] }\n');
    await writeFile(at('alone.yaml'), 'meta: { tags: smoke }\n');
    await using unit = await session();
    const paths = ['year.yaml', 'alone.yaml', 'year.yaml'].map(at);
    const kept = (params: object): Promise<unknown> => unit.call('WR_filter_paths', { paths, ...params });
    expect(await kept({ include: ['2026'] })).toEqual([at('year.yaml'), at('year.yaml')]);
    expect(await kept({ include: ['null', 'smoke'] })).toEqual([at('alone.yaml')]);
    expect(await kept({ exclude: ['true'] })).toEqual([at('alone.yaml')]);
  });
});

describe('WR_partition and WR_partition_with_spec', () => {
  it('know a path wherever the project lies, and however it is written', async () => {
    await using unit = await session();
    const cwd = process.cwd();
    const same = [
      'tests/login.json',
      join(cwd, 'tests/login.json'),
      './/tests/./login.json',
      'more/../tests//login.json',
    ];
    const elsewhere = ['/elsewhere/1.json', '/elsewhere/2.json', '/elsewhere/3.json', '/elsewhere/4.json'];
    const paths = [...same, ...elsewhere];
    const first = (await unit.call('WR_partition', { paths, index: 1, total: 2 })) as string[];
    expect(first.slice(0, 4)).toEqual(same);
    expect(await unit.call('WR_partition_with_spec', { paths, spec: '1/2' })).toEqual(first);
    const second = (await unit.call('WR_partition_with_spec', { paths, spec: '2/2' })) as string[];
    expect([...first, ...second].toSorted()).toEqual(paths.toSorted());
  });
});
