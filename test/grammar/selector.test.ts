import { expect, test } from 'vitest';

import { parseSelector } from '#grammar/selector/parse.ts';
import { engineText } from '#grammar/selector/print.ts';

import { ownTime } from '../fixtures/own-time.ts';

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
  ['[onclick="go()"] > a:first-child::part(x)', [['css', '[onclick="go()"] > a:first-child::part(x)']]],
  [
    ':nth-match(li:not(.a, :has(> b)), 3) p::first-line',
    [['css', ':nth-match(li:not(.a, :has(> b)), 3) p::first-line']],
  ],
  ['//li[@a="x]"][contains(., ")")]', [['xpath', '//li[@a="x]"][contains(., ")")]']]],
  ['internal:has-text="x"i', [['internal:has-text', '"x"i']]],
] as const)('%s is read as its parts', ([text, parts]) => {
  const read = parseSelector(text);
  expect(read.problem).toBeUndefined();
  expect(read.parts.map(({ engine, body }) => [engine, body])).toEqual(parts);
});

test.for([
  ['//li[1', '"]" is missing', '//li[1'],
  ["//li[text()='a]", "the quote ' is not closed", "//li[text()='a]"],
  ['//li)', '")" closes nothing', '//li)'],
  ["getByRole('button', { name: 'Save' })", 'write role=button[name="Save"]', "getByRole('button', { name: 'Save' })"],
  ["page.locator('#a').first()", 'write #a', "page.locator('#a').first()"],
  ['cy.contains("Tea")', 'write text=Tea', 'cy.contains("Tea")'],
  ["$('#a')", 'write #a', "$('#a')"],
  ['By.id("a")', 'write [id="a"]', 'By.id("a")'],
  ["toString('a')", '"(" must stand behind a pseudo-class, as in ":is("', "toString('a')"],
  ["li:contains('x')", '":contains" is known to jQuery alone', "li:contains('x')"],
  ['li:eq(2)', '":eq" is known to jQuery alone', 'li:eq(2)'],
  ['li:first a', '":first" is known to jQuery alone', 'li:first a'],
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
  const taken = ownTime();
  for (const text of [
    '"'.repeat(200_000),
    '>>'.repeat(100_000),
    `role=button${'[name="x"]'.repeat(20_000)}`,
    `role=button[name="${'\\'.repeat(99_999)}`,
  ])
    parseSelector(text);
  expect(taken()).toBeLessThan(1500);
});
