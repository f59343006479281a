import { expect, test } from 'vitest';

import * as because from '#runtime/kernel/reasons.ts';
import { kindOf } from '#runtime/kernel/records/recordable.ts';
import { soughtAt } from '#runtime/kernel/steps/sought-at.ts';
import * as fail from '#schemas/generated/failures.ts';

test('an object is named by its handle, else by its class', () => {
  class HttpServer {}
  expect(kindOf(new HttpServer())).toBe('http-server');
  expect(kindOf({ $handle: 'browser' })).toBe('browser');
  expect(kindOf(Object.create(null) as object)).toBe('object');
});

test('a step lacks what another did not make, and that on which it depends', () => {
  expect(because.isOfNeed(because.notMade('variable:a', 'x', 'failed'))).toBe(true);
  expect(because.isOfNeed(because.dependency('x', 'skipped'))).toBe(true);
  expect(because.isOfNeed(because.failedBefore('x'))).toBe(false);
});

test('a file that is not there is told with its whole path, in the words of the step', () => {
  const missing = fail.fileNotFound({ path: '/work/a.txt' });
  const told = soughtAt(missing, { count: 3, path: 'a.txt' }, '/work');
  expect(told.facts.help).toContain('"a.txt" stands for "/work/a.txt"');
  expect(soughtAt(missing, { path: '/work/a.txt' }, '/work')).toBe(missing);
  const other = fail.httpAddress({ url: 'a.txt' });
  expect(soughtAt(other, { url: 'a.txt' }, '/work')).toBe(other);
});
