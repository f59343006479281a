import { expect, test } from 'vitest';

import { strategyOf } from '#stdlib/browser/engines/test-objects/locator.ts';
import { selectorForm, wireForm } from '#stdlib/browser/engines/test-objects/wire-forms.ts';

import { session } from '../call.ts';

test.for([
  ['id', '1a.b', 'css selector', '[id="1a.b"]', '[id="1a.b"]'],
  ['name', 'a"b\\c', 'css selector', '[name="a\\"b\\\\c"]', '[name="a\\"b\\\\c"]'],
  ['class', 'odd', 'css selector', '[class~="odd"]', '[class~="odd"]'],
  ['css', '#a > b', 'css selector', '#a > b', '#a > b'],
  ['xpath', '//a', 'xpath', '//a', 'xpath=//a'],
  ['tag', 'h1', 'tag name', 'h1', 'h1'],
  ['link', 'All "of" it', 'link text', 'All "of" it', 'a >> internal:has-text="All \\"of\\" it"s'],
  ['partial-link', 'of', 'partial link text', 'of', 'a >> internal:has-text=/of/'],
  [
    'partial-link',
    'a  "b" >> c/d',
    'partial link text',
    'a  "b" >> c/d',
    'a >> internal:has-text=/a\\s+\\"b\\"\\s+\\>\\>\\s+c\\/d/',
  ],
  ['id', 'line\nend', 'css selector', '[id="line\\a end"]', '[id="line\\a end"]'],
] as const)('%s "%s" in both forms', ([strategy, value, using, wire, selector]) => {
  expect(wireForm({ strategy, value })).toEqual({ using, value: wire });
  expect(selectorForm({ strategy, value })).toBe(selector);
});

test('letter case of a strategy does not count; a name of objects is none', () => {
  expect(['ID', 'Css_Selector', 'PARTIAL_LINK_TEXT', 'link text', 'constructor'].map(strategyOf)).toEqual([
    'id',
    'css',
    'partial-link',
    undefined,
    undefined,
  ]);
});

test('both engines share one table', async () => {
  await using unit = await session();
  await unit.call('WR_save_test_object', { test_object_name: 'mail', object_type: 'ID' });
  expect(await unit.call('WR_pw_save_test_object_to_selector', { test_object_name: 'mail', object_type: 'NAME' })).toBe(
    '[name="mail"]',
  );
  const objects = await unit.work.port('testObjects', unit.work.linked);
  expect(objects.get('mail')).toEqual({ strategy: 'name', value: 'mail' });
  expect(() => objects.get('male')).toThrow(
    expect.objectContaining({
      facts: expect.objectContaining({ code: 'SVC81030', help: 'Saved are "mail".' }) as unknown,
    }) as Error,
  );
  await unit.call('WR_clear_test_objects');
  expect(objects.find('mail')).toBeUndefined();
});
