import { describe, expect, test } from 'vitest';

import { session } from '../call.ts';

describe('AT_execute_action', () => {
  test('runs a list in order, goes on after a failure, and then fails itself', async () => {
    await using unit = await session();
    const ended = await unit.step('AT_execute_action', {
      action_list: [
        ['AT_set_variable', { name: 'a', value: 1 }],
        ['AT_extract_and_store', { response: {}, path: 'x', name: 'b' }],
        ['AT_get_variable', ['a']],
        ['AT_get_variable', ['a']],
      ],
    });
    expect(ended.failure?.facts.code).toBe('SVC80032');
    expect(unit.records.map(({ command, status, parent }) => [command, status, parent !== undefined])).toEqual([
      ['AT_set_variable', 'passed', true],
      ['AT_extract_and_store', 'failed', true],
      ['AT_get_variable', 'passed', true],
      ['AT_get_variable', 'passed', true],
      ['AT_execute_action', 'failed', false],
    ]);
  });

  test('has an entry for each action, also where two read the same, with success and failure apart from the value', async () => {
    await using unit = await session({ variables: { a: 'text' } });
    const result = await unit.call('AT_execute_action', {
      action_list: {
        svc: [['AT_get_variable', { name: 'a' }], ['AT_get_variable', { name: 'a' }], ['AT_clear_variables']],
      },
    });
    expect(result).toEqual([
      { index: 0, id: '0', command: 'AT_get_variable', status: 'ok', result: 'text' },
      { index: 1, id: '1', command: 'AT_get_variable', status: 'ok', result: 'text' },
      expect.objectContaining({ index: 2, id: '2', command: 'AT_clear_variables', status: 'ok' }),
    ]);
  });

  test('lists may hold lists', async () => {
    await using unit = await session();
    const inner = ['AT_execute_action', { action_list: [['AT_set_variable', { name: 'deep', value: 7 }]] }];
    const result = (await unit.call('AT_execute_action', { action_list: [inner, ['AT_get_variable', ['deep']]] })) as {
      result: unknown;
    }[];
    expect(result[1]?.result).toBe(7);
    expect(result[0]?.result).toMatchObject([{ command: 'AT_set_variable', status: 'ok' }]);
  });
});
