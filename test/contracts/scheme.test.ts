import { describe, expect, it } from 'vitest';

import { chosenBy, schemeOf, schemeOfBeginning } from '#schemas/types/scheme.ts';

const texts = [
  'postgresql://u:p@h/db',
  'S3+x.y-z://b',
  'locks.db',
  './a://b',
  'C:/locks.db',
  'c://x',
  'a b://c',
  '',
  'é://x',
  '9p://x',
];
const ends = ['', 'x', 'x://y', '://y', '//y', '/y', ':', '.db', 'ql+z://'];

describe('the scheme of an address', () => {
  it('is what stands before ://, in small letters; a drive is none', () => {
    expect(texts.map(schemeOf)).toEqual(['postgresql', 's3+x.y-z', '', '', '', '', '', '', '', '']);
  });

  it('is known by a beginning exactly where no end changes it', () => {
    for (const text of texts)
      for (let length = 0; length <= text.length; length += 1) {
        const beginning = text.slice(0, length);
        const possible = new Set(ends.map((end) => schemeOf(beginning + end)));
        const known = schemeOfBeginning(beginning);
        expect(known === undefined, beginning).toBe(possible.size > 1);
        if (known !== undefined) expect([...possible], beginning).toEqual([known]);
      }
  });

  it('chooses nothing that an object has of itself', () => {
    expect(chosenBy({ '': 'sqlite', pg: 'postgres' }, 'PG://h')).toBe('postgres');
    expect(chosenBy({ '': 'sqlite' }, 'constructor://h')).toBeUndefined();
  });
});
