import { describe, expect, test } from 'vitest';

import type { ContractRequest } from '#stdlib/api/interfaces/contract/contract-file.ts';
import { requestMismatches, responseMismatches } from '#stdlib/api/interfaces/contract/exchange.ts';

import { fits, readXml } from './reading.ts';

test('XML that cannot be read is told in plain words', () => {
  expect(readXml('<a/>Internal Server Error')).toBe('Extra content at the end of the document');
});

/** XML, after the published cases of version 2 for requests and answers. */
describe('bodies of XML', () => {
  const typed = { 'Content-Type': 'application/xml' };
  const colours = (...names: string[]): string =>
    `<?xml version="1.0"?><pen><of>${names.map((name) => `<c>${name}</c>`).join('')}</of></pen>`;
  const animals = (...all: string[]): string => `<animals>${all.map((one) => `<cat ${one}/>`).join('')}</animals>`;
  const anyAnimal = { '$.body.animals': { min: 1, match: 'type' }, '$.body.animals[0]': { match: 'type' } };
  const colour = { '$.body.pen.of.c.#text': { match: 'regex', regex: 'red|blue' } };
  type Rules = NonNullable<ContractRequest['matchingRules']>;
  test.each<[string, 'request' | 'answer' | 'both', string, string, Rules | undefined, boolean]>([
    [
      'the same in other words',
      'both',
      '<a x="1" y="2"><b>t</b></a>',
      '<a y="2"  x="1">\n <b> t </b>\n</a>',
      undefined,
      true,
    ],
    ['elements in another order', 'both', colours('red', 'blue'), colours('blue', 'red'), undefined, false],
    [
      'elements in another order with a rule for their text',
      'both',
      colours('red', 'blue'),
      colours('blue', 'red'),
      colour,
      true,
    ],
    ['a text that breaks its rule', 'both', colours('red'), colours('green'), colour, false],
    ['several by one example', 'both', animals('name="Fred"'), animals('name="Mary"', 'name="Sue"'), anyAnimal, true],
    ['fewer than the least', 'both', animals('name="Fred"'), '<animals/>', anyAnimal, false],
    [
      'more than the most',
      'both',
      animals('n="1"'),
      animals('n="2"', 'n="3"'),
      { '$.body.animals': { match: 'type', max: 1 } },
      false,
    ],
    [
      'an attribute by its own rule',
      'both',
      animals('n="04"'),
      animals('n="333"', 'n="98"'),
      { ...anyAnimal, "$.body.animals[*]['@n']": { match: 'regex', regex: '\\d+' } },
      true,
    ],
    [
      'an attribute that breaks its rule',
      'both',
      animals('n="04"'),
      animals('n="333"', 'n="x"'),
      { ...anyAnimal, "$.body.animals[*]['@n']": { match: 'regex', regex: '\\d+' } },
      false,
    ],
    [
      'a missing attribute',
      'both',
      animals('name="J" age="5"'),
      animals('name="P" age="2" more="1"', ''),
      { '$.body[*]': { match: 'type' }, '$.body[*].*': { match: 'type' } },
      false,
    ],
    ['a further attribute of an answer', 'answer', '<a x="1"/>', '<a x="1" y="2"/>', undefined, true],
    ['a further attribute of a request', 'request', '<a x="1"/>', '<a x="1" y="2"/>', undefined, false],
    ['a further element of an answer', 'answer', '<a><b/></a>', '<a><b/><c/></a>', undefined, true],
    ['a further element of a request', 'request', '<a><b/></a>', '<a><b/><c/></a>', undefined, false],
    [
      'a further element of a known name of an answer',
      'answer',
      '<a><b>1</b></a>',
      '<a><b>1</b><b/></a>',
      undefined,
      true,
    ],
    [
      'a further element of a known name of a request',
      'request',
      '<a><b>1</b></a>',
      '<a><b>1</b><b/></a>',
      undefined,
      false,
    ],
    ['the first of its name differs', 'answer', '<a><b n="1"/></a>', '<a><b n="2"/><b n="1"/></a>', undefined, false],
    ['one too few of a name', 'both', '<a><b/><b/></a>', '<a><b/></a>', undefined, false],
    ['other names in another order', 'both', '<a><b/><c/></a>', '<a><c/><b/></a>', undefined, true],
    [
      'another name in an element held to its type',
      'both',
      '<a><b/></a>',
      '<a><b/><c/></a>',
      { '$.body.a': { match: 'type' } },
      false,
    ],
    [
      'another name below an element held to its type',
      'answer',
      '<a><b><c/></b></a>',
      '<a><b><c/><d/></b></a>',
      { '$.body.a': { match: 'type' } },
      true,
    ],
    [
      'no element of a name held to its type',
      'both',
      '<a><b/><c/></a>',
      '<a><b/></a>',
      { '$.body': { match: 'type' } },
      false,
    ],
    [
      'no element of a name that need not come',
      'both',
      '<a><b/></a>',
      '<a/>',
      { '$.body.a': { match: 'type', min: 0 } },
      true,
    ],
    [
      'elements by name and number',
      'both',
      animals('n="1"'),
      animals('n="2"', 'n="x"'),
      {
        '$.body.animals': { match: 'type' },
        "$.body.animals.cat[*]['@n']": { match: 'regex', regex: '\\d+' },
      },
      false,
    ],
    [
      'the second of its name',
      'both',
      animals('n="1"', 'n="x"'),
      animals('n="1"', 'n="y"'),
      { "$.body.animals.cat[1]['@n']": { match: 'regex', regex: '[a-z]' } },
      true,
    ],
    [
      'the second of another name',
      'both',
      animals('n="1"', 'n="x"'),
      animals('n="1"', 'n="y"'),
      { "$.body.animals.dog[1]['@n']": { match: 'regex', regex: '[a-z]' } },
      false,
    ],
    [
      'attributes of any child',
      'both',
      '<a><b n="1"/><c n="2"/></a>',
      '<a><b n="3"/><c n="4"/></a>',
      { "$.body.a.*['@n']": { match: 'type' } },
      true,
    ],
    ['another root', 'both', '<a/>', '<b/>', undefined, false],
    ['another namespace', 'both', '<a xmlns="urn:1"/>', '<a xmlns="urn:2"/>', undefined, false],
    [
      'another prefix of the same namespace',
      'both',
      '<p:a xmlns:p="urn:1"><p:b/></p:a>',
      '<p:a xmlns:p="urn:1"><p:b></p:b></p:a>',
      undefined,
      true,
    ],
    ['no XML as the example', 'both', '<a/></b>', '<a/>', undefined, false],
    ['no XML as the answer', 'both', '<a/>', 'a', undefined, false],
  ])('%s (%s)', (_, kind, expected, actual, matchingRules, isMatch) => {
    const wanted = { headers: typed, body: expected, ...(matchingRules ? { matchingRules } : {}) };
    const message = { headers: typed, body: actual, text: actual };
    const found = {
      answer: responseMismatches({ status: 200, ...wanted }, { status: 200, ...message }, fits, readXml),
      request: requestMismatches(
        { method: 'POST', path: '/', ...wanted },
        { method: 'POST', path: '/', query: '', ...message },
        fits,
        readXml,
      ),
    };
    for (const each of ['answer', 'request'] as const)
      if (kind === 'both' || kind === each) expect(found[each].length === 0, found[each].join('; ')).toBe(isMatch);
  });
});
