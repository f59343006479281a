import { expect, test } from 'vitest';

import { parseSelector } from '#grammar/selector/parse.ts';
import { engineText } from '#grammar/selector/print.ts';

test.for([
  ['#mail', [['css', '#mail']]],
  [
    'li >> nth=1',
    [
      ['css', 'li'],
      ['nth', '1'],
    ],
  ],
  ['a[title="x >> y"]', [['css', 'a[title="x >> y"]']]],
  [
    'form >> role=button[name="a >> b"]',
    [
      ['css', 'form'],
      ['role', 'button[name="a >> b"]'],
    ],
  ],
  ['//li[1]', [['xpath', '//li[1]']]],
  ['(//li)[1]', [['xpath', '(//li)[1]']]],
  ['..', [['xpath', '..']]],
  ['"Tea"', [['text', '"Tea"']]],
  [
    "text=Don't >> css=b",
    [
      ['text', "Don't"],
      ['css', 'b'],
    ],
  ],
  ['label=/mail/i', [['label', '/mail/i']]],
  [
    '*css=li >> text=Tea',
    [
      ['css', 'li'],
      ['text', 'Tea'],
    ],
  ],
  ['[data-a=b]', [['css', '[data-a=b]']]],
  ['internal:has-text="x"i', [['internal:has-text', '"x"i']]],
] as const)('%s is read as its parts', ([text, parts]) => {
  const read = parseSelector(text);
  expect(read.problem).toBeUndefined();
  expect(read.parts.map(({ engine, body }) => [engine, body])).toEqual(parts);
});

test.for([
  ['lable=Mail', 'there is no engine "lable" (did you mean "label"?)', 'lable=Mail'],
  ['zzz=Mail', 'there is no engine "zzz"; there are css,', 'zzz=Mail'],
  ['li >> ', 'a part is empty', ' '],
  ['role=buton', 'there is no role "buton" (did you mean "button"?)', 'buton'],
  ['li >> role=button[nme="x"]', 'a role has no attribute "nme" (did you mean "name"?)', '[nme="x"]'],
  ['role=button[name]', '"name" needs a value', '[name]'],
  ['role=button[name=Save]', 'the value of "name" stands in quotes', '[name=Save]'],
  ['role=button[name=/(/]', 'the pattern cannot be read', '[name=/(/]'],
  ['role=heading[level="two"]', '"level" cannot be "two"', '[level="two"]'],
  ['role=button "Save"', 'behind the role stand attributes', ' "Save"'],
  ['role=button[checked*=true]', '"checked" is compared with "=" only', '[checked*=true]'],
  ['label="Mail', 'the quote " is not closed', 'label="Mail'],
  ['text=/a(/', 'the pattern cannot be read', 'text=/a(/'],
  ['text=""', 'the text is empty', 'text=""'],
] as const)('%s is refused, with its place', ([text, reason, place]) => {
  const { problem } = parseSelector(text);
  expect(problem?.reason).toContain(reason);
  expect(text.slice(problem?.from, problem?.to)).toBe(place);
});

test.for([
  ['label', 'Mail "home"', 'internal:label="Mail \\"home\\""i'],
  ['label', '"Mail"', 'internal:label="Mail"s'],
  ['label', '/mail/i', 'internal:label=/mail/i'],
  ['placeholder', 'Search', 'internal:attr=[placeholder="Search"i]'],
  ['test_id', 'a"b', 'internal:testid=[data-testid="a\\"b"s]'],
  ['deep_css', 'p b', 'css=p b'],
  ['role', 'button', 'role=button'],
] as const)('%s %s as the library writes it', ([engine, body, text]) => {
  expect(engineText({ engine, body, captured: false })).toBe(text);
});

test('a selector of any size is read in time that its length bounds', () => {
  const begin = performance.now();
  for (const text of [
    '"'.repeat(200_000),
    '>>'.repeat(100_000),
    `role=button${'[name="x"]'.repeat(20_000)}`,
    `role=button[name="${'\\'.repeat(99_999)}`,
  ])
    parseSelector(text);
  expect(performance.now() - begin).toBeLessThan(1500);
});
