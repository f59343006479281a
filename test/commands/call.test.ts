import { expect, test } from 'vitest';

import { call, failureOf, session } from './call.ts';

test('calls of one session share variables', async () => {
  await using unit = await session();
  await unit.call('AT_set_variable', { name: 'user', value: { mail: 'a@b.example' } });
  expect(await unit.call('AT_get_variable', { name: 'user' })).toEqual({ mail: 'a@b.example' });
  expect(unit.records.map(({ command, status }) => `${command} ${status}`)).toEqual([
    'AT_set_variable passed',
    'AT_get_variable passed',
  ]);
});

test('a call of its own knows nothing of others', async () => {
  expect(await call('AT_get_variable', { name: 'user', default: 1 })).toBe(1);
});

test('a verdict fails the call', async () => {
  const failure = await failureOf(call('FA_verify_checksum', { path: 'package.json', expected: '0'.repeat(64) }));
  expect(failure.facts.code).toBe('SVC85052');
});

test('parameters that do not fit are refused before the call', async () => {
  const failure = await failureOf(call('AT_set_variable', { name: 'not a name', value: 1 }));
  expect(failure.facts.code).toBe('SVC80029');
});

test('steps of a list have records of their own, and one that fails fails the step that holds it', async () => {
  await using unit = await session();
  const failure = await failureOf(
    unit.call('FA_if_exists', {
      path: 'package.json',
      then: [
        ['FA_verify_checksum', ['package.json', '0'.repeat(64)]],
        ['AT_set_variable', ['x', 1]],
      ],
    }),
  );
  expect(failure.facts.code).toBe('SVC80032');
  expect(unit.records.map(({ id, parent, status }) => [id, parent, status])).toEqual([
    ['session#0.then.0', 'session#0', 'failed'],
    ['session#0.then.1', 'session#0', 'passed'],
    ['session#0', undefined, 'failed'],
  ]);
});
