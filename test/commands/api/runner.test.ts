import { describe, expect, test } from 'vitest';

import { call, failureOf, session } from '../call.ts';

const named = (id: string, ...depends_on: string[]): unknown => ['AT_fake_uuid', { id, depends_on }];

describe('AT_order_actions', () => {
  test('keeps the given order where nothing is asked, and takes every form', async () => {
    const actions = [
      named('d', 'b', 'c'),
      ['AT_fake_word'],
      { AT_fake_uuid: null, id: 'c', depends_on: ['a'] },
      named('b', 'a'),
      ['AT_fake_uuid', {}, { id: 'a' }],
    ];
    expect(await call('AT_order_actions', { actions })).toEqual([4, 3, 2, 0, 1].map((index) => actions[index]));
  });

  test('orders a long chain', async () => {
    const actions = Array.from({ length: 20_000 }, (_, index) =>
      named(`n${index}`, ...(index === 19_999 ? [] : [`n${index + 1}`])),
    );
    expect(((await call('AT_order_actions', { actions })) as unknown[])[0]).toEqual(actions.at(-1));
  });

  test.each([
    [[named('a', 'a')], 'SVC83160', 'in a circle: a -> a.'],
    [[named('x', 'a'), named('a', 'b'), named('b', 'c'), named('c', 'a')], 'SVC83160', 'a -> b -> c -> a'],
    [[named('a', 'z')], 'SVC83161', '"a" depends on "z"'],
    [[named('a'), named('b'), named('a')], 'SVC83162', 'actions 0 and 2'],
  ])('refuses %j', async (actions, code, words) => {
    const error = await failureOf(call('AT_order_actions', { actions }));
    expect(error.facts).toMatchObject({ code, name: 'APITesterExecuteException' });
    expect(error.message).toContain(words);
  });
});

describe('AT_filter_actions_by_tag', () => {
  const actions = [
    ['AT_fake_uuid', { tags: ['smoke', 'slow'] }],
    ['AT_fake_uuid', { tags: ['slow'] }],
    ['AT_fake_uuid'],
    ['AT_fake_word', ['positional']],
    { AT_fake_email: {}, tags: ['smoke'] },
  ];
  test.each([
    [[], false, [0, 1, 2, 3, 4]],
    [['smoke'], false, [0, 4]],
    [['slow', 'other'], true, [0, 1, 2, 3]],
    [['other'], false, []],
  ])('wanted %j, untagged %s', async (wanted_tags, include_untagged, kept) => {
    expect(await call('AT_filter_actions_by_tag', { actions, wanted_tags, include_untagged })).toEqual(
      kept.map((index) => actions[index]),
    );
  });
});

describe('AT_run_actions_parallel', () => {
  test('tells what became of each, and fails when one failed', async () => {
    await using unit = await session();
    const ended = await unit.step('AT_run_actions_parallel', {
      actions: [
        ['AT_set_variable', { name: 'a', value: 1 }],
        ['AT_extract_and_store', { response: { a: 1 }, path: 'b', name: 'c' }],
        ['AT_fake_uuid'],
      ],
    });
    expect(ended.status).toBe('failed');
    expect(unit.records.map(({ status }) => status).toSorted()).toEqual(['failed', 'failed', 'passed', 'passed']);
  });

  test('an empty list gives an empty map', async () => {
    expect(await call('AT_run_actions_parallel', { actions: [] })).toEqual({});
  });
});
