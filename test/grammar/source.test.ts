import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cellWidth } from '#grammar/source/cells.ts';
import { applyEdits, compatible } from '#grammar/source/edit.ts';
import { frame } from '#grammar/source/frame.ts';
import { linesOf } from '#grammar/source/lines.ts';
import { decodeText } from '#grammar/source/text.ts';

import { ownTime } from '../fixtures/own-time.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('decoding', () => {
  it('takes UTF-8 with and without a byte order mark', () => {
    expect(decodeText(utf8('aé😀'))).toEqual({ text: 'aé😀', hadByteOrderMark: false });
    expect(decodeText(utf8('\ufeffaé'))).toEqual({ text: 'aé', hadByteOrderMark: true });
    expect(decodeText('\ufeffa')).toEqual({ text: 'a', hadByteOrderMark: true });
  });

  it.each([
    [
      'a byte of Latin-1',
      bytes(0x61, 0xe9, 0x62),
      { kind: 'bad-utf8', byte: 0xe9, offset: 1, span: { start: 1, end: 2 } },
    ],
    [
      'behind characters of several bytes',
      bytes(...utf8('é😀'), 0xff, 0x61),
      { kind: 'bad-utf8', byte: 0xff, offset: 6, span: { start: 3, end: 4 } },
    ],
    ['a stray continuation byte', bytes(0x80), { kind: 'bad-utf8', byte: 0x80, offset: 0, span: { start: 0, end: 1 } }],
    [
      'a character in too many bytes',
      bytes(0xc0, 0xaf),
      { kind: 'bad-utf8', byte: 0xc0, offset: 0, span: { start: 0, end: 1 } },
    ],
    [
      'half of a surrogate pair',
      bytes(0xed, 0xa0, 0x80),
      { kind: 'bad-utf8', byte: 0xed, offset: 0, span: { start: 0, end: 1 } },
    ],
    [
      'beyond Unicode',
      bytes(0xf4, 0x90, 0x80, 0x80),
      { kind: 'bad-utf8', byte: 0xf4, offset: 0, span: { start: 0, end: 1 } },
    ],
    [
      'a file cut off in a character',
      bytes(0x61, 0xf0, 0x9f, 0x98),
      { kind: 'cut-off', offset: 1, span: { start: 1, end: 2 } },
    ],
    [
      'behind a byte order mark',
      bytes(0xef, 0xbb, 0xbf, 0x61, 0xff),
      { kind: 'bad-utf8', byte: 0xff, offset: 4, span: { start: 1, end: 2 } },
    ],
    ['UTF-16, little end first', bytes(0xff, 0xfe, 0x61, 0), { kind: 'utf16', span: { start: 0, end: 1 } }],
    ['UTF-16, big end first', bytes(0xfe, 0xff, 0, 0x61), { kind: 'utf16', span: { start: 0, end: 1 } }],
    ['a NUL', utf8('ab\0c'), { kind: 'nul', span: { start: 2, end: 3 } }],
    ['a lone surrogate in a text', 'a\ud83db', { kind: 'lone-surrogate', unit: 'D83D', span: { start: 1, end: 2 } }],
  ])('names %s', (_, input, problem) => {
    expect(decodeText(input).problem).toEqual(problem);
  });

  it('agrees with the platform about what is UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (input) => {
        const { problem, text } = decodeText(input);
        if (problem?.kind === 'utf16') return;
        const fatal = (): string => new TextDecoder('utf-8', { fatal: true }).decode(input);
        if (problem === undefined || problem.kind === 'nul') expect(text).toBe(fatal());
        else expect(fatal).toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('lines', () => {
  it('end at LF, CRLF and CR', () => {
    const lines = linesOf('a\nb\r\nc\rd');
    expect(lines.count).toBe(4);
    expect([0, 1, 2, 4, 5, 7, 8].map((offset) => lines.position(offset).line)).toEqual([1, 1, 2, 2, 3, 4, 4]);
    expect(lines.span(2)).toEqual({ start: 2, end: 3 });
    expect(lines.span(9)).toEqual({ start: 8, end: 8 });
  });

  it('lead back to the offset', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', '😀') }), fc.nat(60), (text, at) => {
        const offset = Math.min(at, text.length);
        expect(linesOf(text).offset(linesOf(text).position(offset))).toBe(offset);
      }),
    );
  });
});

describe('edits', () => {
  it('apply in any order, equal ones once', () => {
    const edits = [
      { span: { start: 4, end: 5 }, text: 'X' },
      { span: { start: 0, end: 1 }, text: '' },
      { span: { start: 4, end: 5 }, text: 'X' },
    ];
    expect(applyEdits('abcdef', edits)).toBe('bcdXf');
  });

  it('insert at one place in their order', () => {
    const at = { start: 1, end: 1 };
    expect(
      applyEdits('ab', [
        { span: at, text: '1' },
        { span: at, text: '2' },
        { span: { start: 1, end: 2 }, text: 'B' },
      ]),
    ).toBe('a12B');
  });

  it.each([
    [
      'overlap',
      [
        { span: { start: 0, end: 2 }, text: '' },
        { span: { start: 1, end: 3 }, text: '' },
      ],
    ],
    ['leave the text', [{ span: { start: 2, end: 9 }, text: '' }]],
  ])('that %s are refused', (_, edits) => {
    expect(() => applyEdits('abc', edits)).toThrow(RangeError);
  });

  it('of which the first come first served are compatible', () => {
    const group = (
      start: number,
      end: number,
    ): { edits: { span: { start: number; end: number }; text: string }[] } => ({
      edits: [{ span: { start, end }, text: '' }],
    });
    const groups = [group(0, 3), group(2, 4), group(3, 5), group(0, 3)];
    expect(compatible(groups)).toEqual([groups[0], groups[2], groups[3]]);
  });
});

describe('cells', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['日本語', 6],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['ﾊﾝｶｸ', 4],
    ['👍', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['☺', 1],
    ['ａ\u0300', 2],
    ['\u200b', 0],
    ['№', 1],
    ['—', 1],
    ['…', 1],
    ['①', 1],
    ['a日b', 4],
  ])('of %j are %i', (text, width) => {
    expect(cellWidth(text)).toBe(width);
  });
});

describe('a frame', () => {
  const place = (text: string, part: string): { start: number; end: number } => ({
    start: text.indexOf(part),
    end: text.indexOf(part) + part.length,
  });

  it('shows the line and what is marked', () => {
    const text = 'actions:\n  - [WR_clik_element, { id: go }]\n';
    expect(frame(text, [{ span: place(text, 'WR_clik_element'), text: 'did you mean "WR_click_element"?' }])).toBe(
      [' 2 |   - [WR_clik_element, { id: go }]', '   |      ^^^^^^^^^^^^^^^ did you mean "WR_click_element"?'].join(
        '\n',
      ),
    );
  });

  it('shows several places in the order of the lines, with a gap between distant ones', () => {
    const text = 'a: 1\nb: 2\nc: 3\na: 4\n';
    expect(
      frame(text, [
        { span: { start: 15, end: 16 }, text: 'second' },
        { span: { start: 0, end: 1 }, text: 'first', secondary: true },
      ]),
    ).toBe([' 1 | a: 1', '   | - first', '...', ' 4 | a: 4', '   | ^ second'].join('\n'));
  });

  it('counts tabs and wide characters as cells', () => {
    const text = '\ta\t日本: 👍x!';
    expect(frame(text, [{ span: place(text, 'x') }])).toBe(
      [' 1 |     a   日本: 👍x!', '   |                 ^'].join('\n'),
    );
    expect(frame(text, [{ span: place(text, '日本') }])).toBe(
      [' 1 |     a   日本: 👍x!', '   |         ^^^^'].join('\n'),
    );
  });

  it('folds a long line around the mark', () => {
    const text = `${'x'.repeat(1000)}HERE${'y'.repeat(1000)}`;
    const [source = '', mark = ''] = frame(text, [{ span: place(text, 'HERE') }], { width: 40 }).split('\n');
    expect(cellWidth(source)).toBeLessThan(50);
    expect(source).toMatch(/^ 1 \| ….*HERE.*…$/);
    expect(mark.indexOf('^')).toBe(source.indexOf('HERE'));
  });

  it('takes no longer for a line of megabytes', () => {
    const text = `${'{"a":1},'.repeat(1_000_000)}`;
    const taken = ownTime();
    frame(text, [{ span: { start: 4_000_000, end: 4_000_005 } }]);
    expect(taken()).toBeLessThan(1000);
  });

  it('lets nothing in the text act on the terminal', () => {
    const printed = frame('a\u001b[31mb\u0007\u202ec\u009b', [{ span: { start: 0, end: 1 } }]);
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('marks the end of the text, an empty line, and a span over lines', () => {
    expect(frame('a', [{ span: { start: 1, end: 1 } }])).toBe(' 1 | a\n   |  ^');
    expect(frame('', [{ span: { start: 0, end: 0 } }])).toBe(' 1 |\n   | ^');
    expect(frame('ab\ncd', [{ span: { start: 1, end: 5 } }])).toBe(' 1 | ab\n   |  ^');
  });

  it('gives line numbers one width, and context on request', () => {
    const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n');
    expect(frame(text, [{ span: place(text, 'line 9') }], { context: 1 })).toBe(
      ['  8 | line 8', '  9 | line 9', '    | ^^^^^^', ' 10 | line 10'].join('\n'),
    );
  });
});
