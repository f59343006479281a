import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { KeptLists } from '#compiler/engine/lists/kept-lists.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import type { CompiledActions } from '#runtime/kernel/linked.ts';
import { AccessList } from '#runtime/servers/access-list.ts';
import type { ActionCalls } from '#runtime/servers/action-calls.ts';
import type { Json } from '#schemas/types/json.ts';

import { serve, type Served } from './open.ts';

const all = new AccessList({ allowed: null, denied: [] }, new Set());

describe('a list that is sent again', () => {
  let served: Served;
  let calls: ActionCalls;
  const run = async (actions: Json, access = all): Promise<unknown> =>
    Object.values((await calls.run(actions, { access, signal: new AbortController().signal })).results);
  beforeAll(async () => {
    served = await serve('http');
    ({ calls } = served);
  });
  afterAll(() => served[Symbol.asyncDispose]());

  it('runs anew, in a unit of its own', async () => {
    const list = [
      ['AT_get_variable', { name: 'left' }],
      ['AT_set_variable', { name: 'left', value: 1 }],
    ];
    const first = await run(list);
    expect(await run(list)).toEqual(first);
    expect(first).not.toMatchObject([{ value: 1 }, {}]);
  });

  it('is held to the rights of whoever sends it', async () => {
    const list = [['AT_set_variable', { name: 'a', value: 1 }]];
    expect(await run(list)).toMatchObject([{ status: 'ok' }]);
    const none = new AccessList({ allowed: [], denied: [] }, new Set());
    await expect(run(list, none)).rejects.toMatchObject({ name: 'ActionNotPermittedException' });
    expect(await run(list)).toMatchObject([{ status: 'ok' }]);
  });

  it('may be sent by many at once', async () => {
    const list = [['AT_set_variable', { name: 'b', value: 2 }]];
    const ends = await Promise.all(Array.from({ length: 50 }, () => run(list)));
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
  });
});

describe('lists that are kept', () => {
  const host = memoryHost();
  const list = { facts: {}, parts: [] } as unknown as CompiledActions;

  it('are those of which the compiler looked at the text alone', async () => {
    const kept = new KeptLists();
    let compiled = 0;
    const make = (looks: (given: typeof host) => unknown) => (given: unknown) => {
      compiled += 1;
      looks(given as typeof host);
      return Promise.resolve(list);
    };
    const twice = async (text: string, looks: (given: typeof host) => unknown): Promise<number> => {
      compiled = 0;
      for (const _ of [1, 2]) await kept.list(text, 'call', host, make(looks));
      return compiled;
    };
    expect(await twice('a', () => undefined)).toBe(1);
    expect(await twice('b', ({ env }) => env['HOME'])).toBe(2);
    expect(await twice('c', ({ env }) => Object.keys(env))).toBe(2);
    expect(await twice('d', ({ files }) => files.find('/'))).toBe(2);
    expect(await twice('e', ({ clock }) => clock.now())).toBe(2);
    expect(await twice('f'.repeat(100_000), () => undefined)).toBe(2);
  });

  it('are bounded: the one that nobody asked for longest goes', async () => {
    const kept = new KeptLists();
    const made: string[] = [];
    const ask = (text: string): Promise<CompiledActions> =>
      kept.list(text, '', host, () => {
        made.push(text.slice(0, 4));
        return Promise.resolve(list);
      });
    const long = (index: number): string => `${String(index).padStart(4, '0')}${'x'.repeat(60_000)}`;
    for (let index = 0; index < 69; index += 1) await ask(long(index));
    await ask(long(0));
    await ask(long(69));
    made.length = 0;
    await ask(long(0));
    await ask(long(1));
    expect(made).toEqual(['0001']);
  });
});
