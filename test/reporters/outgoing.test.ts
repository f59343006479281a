import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { jsonText, outgoing } from '#runtime/reporters/outgoing.ts';
import type { TextForm } from '#schemas/types/text-form.ts';

import { forgedCommands, forbidden, hostileText } from '../hostile-text.ts';

describe('text that leaves the process', () => {
  test.each(['people', 'lines', 'json'] as const)('as %s holds no control character but line feeds', (form) => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(forbidden(outgoing(form === 'json' ? JSON.stringify(text) : text, form))).toEqual([]);
      }),
    );
  });

  test('has our colours and the redrawn line where they may be, and no other sequence', () => {
    const way = { colour: true, live: true };
    expect(outgoing('\u001b[31mred\u001b[39m \r\u001b[2K\u001b[1mb\u001b[22m', 'people', way)).toBe(
      '\u001b[31mred\u001b[39m \r\u001b[2K\u001b[1mb\u001b[22m',
    );
    expect(outgoing('\u001b[31mred\u001b[39m', 'people')).toBe('␛[31mred␛[39m');
    expect(outgoing('\u001b[2J\u001b[8mhidden\u001b]0;title\u0007\r\u001b[1A', 'people', way)).toBe(
      '␛[2J␛[8mhidden␛]0;title␇␍␛[1A',
    );
    expect(outgoing('\r\u001b[2K', 'people', { colour: true, live: false })).toBe('␍␛[2K');
    expect(outgoing('\u001b[31mred', 'lines', way)).toBe('␛[31mred');
  });

  test('has no command for a build server', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(forgedCommands(outgoing(text, 'people'))).toEqual([]);
      }),
    );
    expect(outgoing('a\n  ::error file=x::y\n::add-mask::z', 'people')).toBe(
      'a\n  \\::error file=x::y\n\\::add-mask::z',
    );
    expect(outgoing('x ##[error]y ##vso[task.x]z', 'people')).toBe('x ##\\[error]y ##\\vso[task.x]z');
  });

  test('of programs keeps its commands', () => {
    expect(outgoing('::error file=a::b\n', 'lines')).toBe('::error file=a::b\n');
  });

  test('of JSON has the same values', () => {
    fc.assert(
      fc.property(fc.array(hostileText), (value) => {
        const text = jsonText(value, 2);
        expect(JSON.parse(text)).toEqual(value);
        expect(JSON.parse(outgoing(JSON.stringify(value), 'json'))).toEqual(value);
        expect(forgedCommands(text)).toEqual([]);
      }),
    );
  });

  test('of a file is the file', () => {
    expect(outgoing('\ufeffa\r\n\u001b', 'file')).toBe('\ufeffa\r\n\u001b');
  });

  test.each(['people', 'lines', 'json', 'file'] as const)(
    'as %s that holds nothing of it stays as it is',
    (form: TextForm) => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
          const plain = text.replaceAll(/[:#]/g, '');
          expect(outgoing(plain, form)).toBe(plain);
        }),
      );
    },
  );
});
