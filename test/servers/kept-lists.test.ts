import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CompileHost } from '#compiler/context.ts';
import { KeptLists } from '#compiler/engine/lists/kept-lists.ts';
import { watchedHost } from '#compiler/engine/lists/watched-host.ts';
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
  const list = { facts: {}, parts: [] } as unknown as CompiledActions;

  it.each([
    ['a text alone', ({ cwd, digest }: CompileHost) => [cwd, digest('sha256')], false],
    ['a variable', ({ env }: CompileHost) => env['HOME'], true],
    ['names of variables', ({ env }: CompileHost) => Object.keys(env), true],
    ['a file', ({ files }: CompileHost) => files.find('/'), true],
    ['the time', ({ clock }: CompileHost) => clock.now(), true],
  ])('depend on %s', async (_what, look, wasAsked) => {
    const watched = watchedHost(memoryHost());
    await look(watched.host);
    expect(watched.wasAsked()).toBe(wasAsked);
  });

  it('are bounded: the one that nobody asked for longest goes, and a long one is not kept', () => {
    const kept = new KeptLists();
    const long = (index: number): string => `${String(index).padStart(4, '0')}${'x'.repeat(60_000)}`;
    const isKept = (text: string): boolean => kept.find(text, '') !== undefined;
    for (let index = 0; index < 69; index += 1) kept.keep(long(index), '', list);
    expect(isKept(long(0))).toBe(true);
    kept.keep(long(69), '', list);
    expect([long(0), long(1)].map(isKept)).toEqual([true, false]);
    kept.keep('f'.repeat(100_000), '', list);
    expect(isKept('f'.repeat(100_000))).toBe(false);
    expect(kept.find(long(0), 'other')).toBeUndefined();
  });
});
