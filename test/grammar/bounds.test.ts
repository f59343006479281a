import { beforeAll, describe, expect, it } from 'vitest';

import { parseCondition, prepareConditions } from '#grammar/condition/parse.ts';
import { jsonPathProblem, prepareJsonPath } from '#grammar/json-path/parse.ts';
import { parseText, prepareReferences } from '#grammar/reference/parse.ts';

describe('what is longer than anybody writes is refused as that', () => {
  beforeAll(async () => {
    await prepareConditions(['(']);
    await prepareReferences(['${']);
    await prepareJsonPath();
  });

  it.each([
    ['a path', `{{a${'.b'.repeat(1_000)}}}`],
    ['indices', `{{a${'[0]'.repeat(1_000)}}} and more`],
    ['a format', `\${date:${'%'.repeat(2_000)}}`],
    ['a default', `\${ENV.A:-${'x'.repeat(2_000)}}`],
  ])('a reference: %s', (_, text) => {
    expect(parseText(text).problems.map(({ key }) => key)).toEqual(['too-long']);
  });

  it('a reference that nothing closes is one that is not closed, however long the text', () => {
    expect(parseText(`{{a${'.b'.repeat(5_000)}`).problems.map(({ key }) => key)).toEqual(['not-closed']);
  });

  it.each([
    ['in a form that is scanned', `a${'.b'.repeat(1_000)}`],
    ['in one that is parsed', `(a${'[0]'.repeat(1_000)} || true)`],
  ])('a path of a condition, %s, and it counts for no reference', (_, text) => {
    const { problems, refs } = parseCondition(text);
    expect(problems.map(({ key, expected }) => [key, expected])).toEqual([
      ['too-large', '2000 characters in one path'],
    ]);
    expect(refs).toEqual([]);
  });

  it.each([
    ['characters', `$${'..*'.repeat(10_000)}`, 'it has more than 20000 characters'],
    [
      'parentheses',
      `$[?${'('.repeat(51)}@.a${')'.repeat(51)}]`,
      'brackets and parentheses stand more than 50 deep in one another',
    ],
    ['operators', `$[?${'!'.repeat(501)}@.a]`, 'it has more than 500 operators'],
  ])('a JSONPath: %s', (_, text, found) => {
    expect(jsonPathProblem(text)).toEqual({ key: 'unreadable', from: 0, to: text.length, found });
  });
});
