import { expect, test } from 'vitest';

import { fixable } from '#compiler/report/fix-edits.ts';
import { human } from '#compiler/report/human.ts';
import { locate, type Sources } from '#compiler/report/locate.ts';
import type { Diagnostic, Severity } from '#schemas/types/diagnostic.ts';

const text = 'x\n'.repeat(100);
const sources: Sources = new Map([
  ['a.yaml', { text }],
  ['b.yaml', { text }],
]);

function finding(line: number, severity: Severity = 'warning', source = 'a.yaml'): Diagnostic {
  const at = (line - 1) * 2;
  return {
    code: 'SVC30101',
    slug: 'no-hard-wait',
    severity,
    message: `finding ${line}`,
    related: [],
    fixes: [],
    args: {},
    primary: { source, route: [], part: { text: { start: at, end: at + 1 } } },
  };
}

test('of more than fifty findings in a file fifty are shown, the errors among them, and a note counts the rest', () => {
  const findings = Array.from({ length: 60 }, (_, index) => finding(index + 1, index >= 57 ? 'error' : 'warning'));
  const shown = human(locate([...findings, finding(1, 'hint', 'b.yaml')], sources), { colour: false });
  expect(shown.match(/^(?:error|warning)\[/gm)).toHaveLength(50);
  expect(shown.match(/^error\[/gm)).toHaveLength(3);
  expect(shown).toContain('note: 10 more findings in a.yaml are not shown\n');
  expect(shown).toContain('--> b.yaml:1:1');
  expect(shown).toContain('3 errors, 57 warnings, 1 hint\n');
  expect(shown.indexOf('a.yaml:47:1')).toBeLessThan(shown.indexOf('a.yaml:58:1'));
});

test.each([
  ['a small file', 1_000, 50],
  ['a file of a million characters', 1_000_000, 6],
  ['a file of ten million', 10_000_000, 1],
])('fixes are written out for as many findings of %s as reading it again allows', (_about, length, most) => {
  const large: Sources = new Map([
    ['a.yaml', { text: 'x\n'.repeat(length / 2) }],
    ['b.yaml', { text }],
  ]);
  const fixes = [{ title: 'cure', safety: 'safe', operations: [] }] as const;
  const findings = Array.from({ length: 60 }, (_, index) => ({ ...finding(index + 1), fixes }));
  const fixed = [...fixable(locate([...findings, finding(70), { ...finding(1, 'hint', 'b.yaml'), fixes }], large))];
  expect(fixed.map(({ primary }) => [primary.source, primary.start.line])).toEqual([
    ...Array.from({ length: most }, (_, index) => ['a.yaml', index + 1]),
    ['b.yaml', 1],
  ]);
});

test('equal findings at one place are one, and those of one place stand in order of their codes', () => {
  const located = locate([finding(2), { ...finding(2), code: 'SVC10001' }, finding(2), finding(1)], sources);
  expect(located.map(({ diagnostic, primary }) => [primary.start.line, diagnostic.code])).toEqual([
    [1, 'SVC30101'],
    [2, 'SVC10001'],
    [2, 'SVC30101'],
  ]);
});

test('a finding in a file that nobody could read has a place all the same', () => {
  const shown = human(locate([finding(7, 'error', 'gone.yaml')], sources), { colour: false });
  expect(shown).toContain('error[SVC30101]: finding 7\n  --> gone.yaml:1:1\n = svc explain SVC30101');
});

test('what a text holds cannot command a terminal', () => {
  const shown = human(
    locate(
      [{ ...finding(1), message: 'a \u001b[31mred\u001b[0m \u202eword\u0007', help: 'one\r\ntwo\u009b1m' }],
      sources,
    ),
    { colour: false },
  );
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(shown).toContain('a ␛[31mred␛[0m \ufffdword␇');
});

test('carets keep to the width of the terminal', () => {
  const long = `- [FA_copy_file, ${'"a text that goes on", '.repeat(12)}]`;
  const wide: Sources = new Map([['a.yaml', { text: long }]]);
  const { primary, ...rest } = finding(1);
  const whole = { ...rest, primary: { ...primary, part: { text: { start: 0, end: long.length } } } };
  const shown = human(locate([whole], wide), { colour: false, columns: 40 });
  const frame = shown.split('\n').filter((line) => /^ [1 ] \|/.test(line));
  expect(frame).toHaveLength(2);
  for (const line of frame) expect(line.length).toBeLessThanOrEqual(40);
});
