import { expect, test } from 'vitest';

import { finder } from '#stdlib/browser/authoring/pom/found-by.ts';
import { namesOf } from '#stdlib/browser/authoring/pom/names.ts';
import { serviceUrl } from '#stdlib/browser/integrations/deliver.ts';

test('a field that only its placeholder tells apart is found by it', () => {
  const field = (placeholder: string) => ({
    tag: 'input',
    attributes: { type: 'text', placeholder },
    text: '',
  });
  const elements = [field('Street'), field('Town'), field('Town')];
  const found = finder(elements);
  expect(elements.map((element) => found(element)?.value)).toEqual(['"Street"', undefined, undefined]);
});

test('radio buttons of one name are named by their values', () => {
  const choice = (value: string) => ({
    element: { tag: 'input', attributes: { type: 'radio', name: 'size', value }, text: '' },
    deed: 'click',
  });
  expect(namesOf([choice('small'), choice('large')])).toEqual(['size_small', 'size_large']);
});

test.each(['https://ann@tracker.test', 'https://:key@tracker.test', 'not an address'])(
  'a service is not asked at %s',
  (base) => expect(() => serviceUrl(base, '/issues')).toThrow('is not an address'),
);

test('a service is asked below its address', () => {
  expect(serviceUrl('https://tracker.test/api//', '/issues').href).toBe('https://tracker.test/api/issues');
});
