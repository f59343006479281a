import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AccessList } from '#runtime/servers/access-list.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { shareOfThread } from '../fixtures/share-of-thread.ts';
import { serve, type Served } from './open.ts';

const all = new AccessList({ allowed: null, denied: ['FA_remove_dir_tree'] }, new Set());

let served: Served;
beforeAll(async () => {
  served = await serve('http');
  // The modules are loaded, and a thread waits.
  await outcome(many('FA_nothing'));
});
afterAll(() => served[Symbol.asyncDispose]());

/** A list that takes a thread: it has some hundred thousand characters. */
function many(item: Json, count = 20_000): Json {
  return Array.from({ length: count }, () => item);
}

async function outcome(actions: Json, signal = new AbortController().signal): Promise<unknown> {
  try {
    return Object.values((await served.calls.run(actions, { access: all, signal, dryRun: true })).results);
  } catch (error) {
    return error;
  }
}

describe('a large list', () => {
  it('leaves the event loop free while it is compiled', async () => {
    const share = await shareOfThread(async () => {
      expect(await outcome(many(1, 300_000))).toMatchObject({ name: 'ValidationException' });
    });
    expect(share).toBeLessThan(0.5);
  });

  it.each<[string, (item: Json) => Json]>([
    ['commands that there are not', () => 'FA_nothing'],
    ['parameters that are not taken', () => ['FA_create_dir', { nonsense: 1 }]],
    ['what is no action', () => 1],
  ])('is refused in the same words as a small one: %s', async (_what, of) => {
    const words = (error: unknown): string => String(error).replace(/ … \d+ more/, '');
    const small = await outcome(many(of(0), 11));
    const large = await outcome(many(of(0)));
    expect(large).toBeInstanceOf(Failure);
    expect(words(large)).toBe(words(small));
    const { code, help } = (small as Failure).facts;
    expect(large).toMatchObject({ name: (small as Failure).name, facts: { code, ...(help && { help }) } });
  });

  it('is refused for a command of the access list, wherever it stands', async () => {
    const list = [...(many('FA_nothing') as readonly Json[]), ['FA_remove_dir_tree', ['a']]];
    expect(await outcome(list)).toMatchObject({ name: 'ActionNotPermittedException' });
  });

  it('has the same results as a small one', async () => {
    const [small] = (await outcome([['FA_create_dir', ['a']]])) as readonly JsonObject[];
    const results = (await outcome(many(['FA_create_dir', ['a']], 2000))) as readonly Json[];
    expect(results).toHaveLength(2000);
    expect(results.filter((result, index) => !isDeepStrictEqual(result, { ...small, index }))).toEqual([]);
  });

  it('reaches files as a small one does: those of the project alone', async () => {
    writeFileSync(join(served.root, 'used.yaml'), 'actions: [{ FA_create_dir: [a] }]\n');
    const filling = many(['FA_create_dir', ['a']], 2000) as readonly Json[];
    const using = (path: string): Json => [...filling, { use: path }];
    expect(await outcome(using('used.yaml'))).toHaveLength(2001);
    const [small, large] = [await outcome([{ use: '/etc/hostname' }]), await outcome(using('/etc/hostname'))];
    expect(large).toBeInstanceOf(Error);
    expect(String(large).replace('[2000]', '[0]')).toBe(String(small));
  });

  it('ends with its call: the thread is gone at once, and the next one has another', async () => {
    const stop = new AbortController();
    const ended = outcome(many(1, 300_000), stop.signal);
    setTimeout(() => stop.abort(new Error('the call took more than 600 s')), 50);
    const began = performance.now();
    expect(String(await ended)).toContain('the call took more than 600 s');
    expect(performance.now() - began).toBeLessThan(1000);
    expect(await outcome(many('FA_nothing'))).toMatchObject({ name: 'ValidationException' });
  });

  it('waits for its turn where many come, and some of them go away', async () => {
    const stop = new AbortController();
    const [first, gone, last] = [outcome(many(1, 50_000)), outcome(many(1), stop.signal), outcome(many(1))];
    const more = Array.from({ length: 8 }, () => outcome(many('FA_nothing')));
    stop.abort(new Error('gone'));
    expect(String(await gone)).toContain('gone');
    for (const error of await Promise.all([first, last, ...more]))
      expect(error).toMatchObject({ name: 'ValidationException' });
  });
});
