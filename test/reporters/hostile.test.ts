import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ReporterTarget, RunEvent } from '#runtime/kernel/events.ts';
import type { ReporterName } from '#runtime/reporters/names.ts';
import { outgoing } from '#runtime/reporters/outgoing.ts';
import { reporters } from '#runtime/reporters/reporters.ts';

import { everyCommand, forbidden, forgedCommands, hostileText } from '../hostile-text.ts';
import { sampleRun } from './sample-run.ts';

/** Keys whose texts come from strangers: names, texts of errors, answers, files. The rest are words of ours. */
const theirs = new Set([
  'name',
  'message',
  'help',
  'text',
  'reason',
  'file',
  'source',
  'id',
  'url',
  'body',
  'expected',
  'actual',
  'accept',
  'content-type',
  'stopped',
  'result',
  'path',
]);

/** The sample with hostile text wherever a stranger's text stands. */
function hostileRun(next: () => string): readonly RunEvent[] {
  // One file stays one file.
  const file = next();
  const poisoned = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((part) => poisoned(part, key));
    if (value instanceof Uint8Array) return value;
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, poisoned(part, name)]));
    if (value === 'shop/order.yaml') return file;
    if (key === 'id' && typeof value === 'string') return `${file}${value.slice('shop/order.yaml'.length)}`;
    return theirs.has(key) && typeof value === 'string' ? next() : value;
  };
  const reason = 'beside its steps';
  const sample = [
    ...sampleRun().map((event) => (event.kind === 'unit-finished' ? { ...event, reason } : event)),
    { kind: 'notice', level: 'info', text: 'a note', source: 'shop/order.yaml' },
  ];
  const ended = sample.findIndex(({ kind }) => kind === 'run-finished');
  const [end] = sample.splice(ended, 1);
  return poisoned([
    ...sample,
    { ...end, outcome: { ...(end as { outcome: object }).outcome, stopped: 'by hand' } },
  ]) as RunEvent[];
}

async function report(
  name: ReporterName,
  events: readonly RunEvent[],
  way: Pick<ReporterTarget, 'colour' | 'live'>,
  verbose: boolean,
): Promise<string> {
  let text = '';
  const open = await reporters[name]();
  const reporter = open(
    {
      write: (piece, form = 'people') => void (text += outgoing(piece, form, way)),
      file: (_, content) => void (text += String(content)),
      columns: 80,
      ...way,
    },
    { verbose },
  );
  for (const event of events) reporter.event(event);
  await reporter.end?.();
  return text;
}

const ours = /\u001b\[(?:1|2|22|3[1-69]|39)m|\r\u001b\[2K/g;
const still = { colour: false, live: false };
/** Beginning of a line that the reporter for Azure Pipelines writes. */
const issue = /^##vso\[task\.logissue type=(?:error|warning);[^\]]*\]/;
const names = Object.keys(reporters) as ReporterName[];

describe('no stranger commands a terminal or a build server', () => {
  test.each(names)('through %s', async (name) => {
    const plain = await report(
      name,
      hostileRun(() => 'plain'),
      still,
      true,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.oneof(hostileText, fc.constant(everyCommand))),
        fc.boolean(),
        async (texts, verbose) => {
          const run = hostileRun(() => texts.next().value as string);
          const shown = await report(name, run, still, verbose);
          expect(forbidden(shown)).toEqual([]);
          if (name === 'azure') {
            // Each line is a command of ours; behind it stands no other.
            const lines = shown.split('\n').filter((line) => line !== '');
            expect(lines.filter((line) => !issue.test(line))).toEqual([]);
            expect(forgedCommands(lines.map((line) => line.replace(issue, 'ours ')).join('\n'))).toEqual([]);
            expect(lines.length).toBe(plain.split('\n').filter((line) => line !== '').length);
          } else if (name === 'github')
            expect(shown.split('\n').filter((line) => line !== '').length).toBe(
              plain.split('\n').filter((line) => line !== '').length,
            );
          else expect(forgedCommands(shown)).toEqual([]);
          const coloured = await report(name, run, { colour: true, live: true }, verbose);
          expect(forbidden(coloured.replaceAll(ours, ''))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('through github: each line is an annotation of ours', async () => {
    const shown = await report(
      'github',
      hostileRun(() => everyCommand),
      still,
      false,
    );
    for (const line of shown.trimEnd().split('\n'))
      expect(line).toMatch(/^::(?:error|warning)(?: file=[^:,]*(?:,\w+=[^:,]*)*)?::[^\r\n]*$/);
  });
});

describe('no stranger forges a result', () => {
  const run = hostileRun(() => everyCommand);

  test('in TAP: points are ours, in order, none a directive but of what was skipped', async () => {
    const lines = (await report('tap', run, still, false)).trimEnd().split('\n');
    const points = lines.filter((line) => /^(?:not )?ok\b/.test(line));
    expect(points.map((line) => /^(?:not )?ok (\d+) - /.exec(line)?.[1])).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(lines.filter((line) => !/^(?:not )?ok \d|^ {2}(?:---|\.\.\.|\w+: ".*")$/.test(line))).toEqual([
      'TAP version 14',
      '1..7',
    ]);
    // A number sign behind a backslash is text.
    const directives = points.filter((line) => /(?<!\\)(?:\\\\)*\s#\s*(?:skip|todo)/i.test(line));
    expect(directives.map((line) => line.slice(0, 5))).toEqual(['ok 5 ']);
    expect(points.filter((line) => line.startsWith('not')).length).toBe(2);
  });

  test('in JUnit: a case a step, a failure a failed step', async () => {
    const text = await report('junit', run, still, false);
    const tags = [...text.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag);
    expect(new Set(tags)).toEqual(new Set(['testsuites', 'testsuite', 'testcase', 'failure', 'skipped', 'error']));
    expect(tags.filter((tag) => tag === 'testcase').length).toBe(
      (
        await report(
          'junit',
          hostileRun(() => 'plain'),
          still,
          false,
        )
      ).match(/<\/?testcase/g)?.length ?? 0,
    );
    expect(text.match(/<failure /g)?.length).toBe(1);
    expect(text).not.toMatch(/<!|<\?(?!xml version)/);
  });

  test('in a page: no element, no attribute', async () => {
    const text = await report('html', run, still, false);
    expect(text.match(/<script/g)?.length).toBe(1);
    expect(text).not.toMatch(/<testcase|<failure/);
  });

  test('for people: no line begins as one of ours', async () => {
    for (const verbose of [false, true]) {
      const shown = await report('human', run, still, verbose);
      expect(
        shown.split('\n').filter((line) => /^\s*(?:[✓✗-] FORGED|error\[SVC99999|0 failed|ok \d|not ok)/.test(line)),
      ).toEqual([]);
    }
  });
});
