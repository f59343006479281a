import { tmpdir } from 'node:os';

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { annotations } from '#compiler/report/annotations.ts';
import { human } from '#compiler/report/human.ts';
import { json } from '#compiler/report/json.ts';
import { locate, type Sources } from '#compiler/report/locate.ts';
import { sarif } from '#compiler/report/sarif.ts';
import { shorten } from '#grammar/document/findings.ts';
import { recordedError } from '#runtime/kernel/records/recorded-error.ts';
import { Masker } from '#runtime/kernel/records/masker.ts';
import { valueText } from '#runtime/reporters/failure-text.ts';
import { resultText } from '#runtime/reporters/result-text.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { shortened } from '#schemas/types/message-text.ts';

import { svc } from '../cli/svc.ts';

const huge = `${'k'.repeat(500_000)}/end.yaml`;
const sources: Sources = new Map([['a.yaml', { text: 'x\n' }]]);
const label = { source: 'a.yaml', route: [], part: { text: { start: 0, end: 1 } } } as const;
const finding: Diagnostic = {
  code: 'SVC40002',
  slug: 'unknown-command',
  severity: 'error',
  message: `There is no key "${huge}" here; it stood in \`${huge}\` before.`,
  help: `Write "${huge}".`,
  primary: { ...label, text: `did you mean "${huge}"?` },
  related: [{ ...label, text: `"${huge}" stands here` }],
  fixes: [{ title: `replace with "${huge}"`, safety: 'safe', operations: [] }],
  args: {},
};

describe('what a message quotes at length is cut, with a mark that says how long it was', () => {
  const located = locate([finding], sources);
  it.each([
    ['human', () => human(located, { colour: false })],
    ['json', () => json(located, sources, 1)],
    ['sarif', () => sarif(located, sources, { version: '1', about: () => undefined })],
    ['annotations', () => annotations(located)],
  ])('%s', (form, print) => {
    const printed = print();
    expect(printed.length).toBeLessThan(4_000);
    expect(printed).toContain('here; it stood in');
    expect(printed).toContain('… (500009 characters) …');
    expect(printed).toContain('/end.yaml');
    if (form !== 'annotations') expect(printed).toMatch(/did you mean|"message"|stands here/);
  });

  it('failures, their help, their causes and their other expectations', () => {
    const error = recordedError(
      fail.fileNotFound({ path: huge, help: `look for "${huge}"`, cause: new Error(`open '${huge}'`) }),
      new Masker(),
    );
    expect(error.message).toMatch(/^.{0,100}"k{150}… \(500009 characters\) …k{41}\/end\.yaml".{0,100}$/);
    expect(error.help).toContain('… (500009 characters) …');
    expect(error.cause?.message).toMatch(/^open 'k+… \(500016 characters\) …k+\/end\.yaml'$/);
  });
});

test('a secret at a cut is hidden whole', () => {
  const masker = new Masker();
  const secret = 's3cr3t-93b1f6c0d47e-'.repeat(3);
  masker.add(secret);
  for (let before = 100; before < 160; before++) {
    const text = `The value "${'v'.repeat(before)}${secret}${'w'.repeat(300)}" is none.`;
    const mask = { text: (whole: string) => masker.text(whole), blank: (whole: string) => whole };
    const [located] = locate([{ ...finding, message: text }], sources, mask);
    const recorded = recordedError(new Error(text), masker);
    for (const said of [located?.diagnostic.message ?? '', recorded.message])
      expect(said, said).not.toMatch(/s3cr|f6c0d|47e-/);
  }
});

test('a message of usual length stays as it is, and none is longer than a page', () => {
  const path = `/home/${'folder/'.repeat(27)}a`;
  expect(shortened(`There is no "${path}".`)).toBe(`There is no "${path}".`);
  const prose = `"a" ${'is a long sentence, '.repeat(20)} "b"`;
  expect(shortened(prose)).toBe(prose);
  fc.assert(
    fc.property(fc.array(fc.constantFrom('"', '`', 'ab', '😀', '\ud800', 'x'.repeat(300), '\n')), (pieces) => {
      const text = pieces.join('').repeat(50);
      const short = shortened(text);
      expect(short.length).toBeLessThan(1_600);
      if (text.isWellFormed()) expect(short.isWellFormed()).toBe(true);
    }),
  );
});

test('a value is cut between characters', async () => {
  const text = `- AT_test_api_method: { http_method: ${'x'.repeat(58)}😀😀, test_url: "http://127.0.0.1/" }`;
  const { stdout } = await svc(tmpdir(), ['check', '-', '--json'], { input: text });
  expect(stdout).toContain('cannot be the text');
  expect(stdout).not.toContain('ud83d');
  for (const length of [57, 58, 396, 397, 398, 399]) {
    const text = `${'x'.repeat(length)}😀😀`;
    expect(valueText(text).isWellFormed()).toBe(true);
    expect(resultText(text).isWellFormed()).toBe(true);
    expect(shorten(text).isWellFormed()).toBe(true);
  }
});

test.each([
  ['quotes', (count: number) => '"'.repeat(count)],
  ['quotes of two kinds', (count: number) => '"`'.repeat(count)],
  ['a quote without an end', (count: number) => `"${'a'.repeat(count)}`],
  ['words in quotes of two kinds', (count: number) => '"a` '.repeat(count)],
])('time grows with the length of the message: %s', (_what, of) => {
  const [few, many] = [of(50_001), of(800_001)];
  const taken = (text: string): number => {
    const started = process.cpuUsage();
    shortened(text);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  const least = (text: string): number => Math.min(...Array.from({ length: 3 }, () => taken(text)));
  // Sixteen times the text; with its square it would be 256. What takes less than 5 ms is not measured.
  expect(least(many)).toBeLessThan(64 * Math.max(least(few), 5_000));
});
