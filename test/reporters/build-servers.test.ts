import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Ajv } from 'ajv';
import { expect, test } from 'vitest';

import type { RunEvent } from '#runtime/kernel/events.ts';
import type { Evidence } from '#runtime/kernel/ports.ts';
import type { ReporterName } from '#runtime/reporters/names.ts';
import { reporters } from '#runtime/reporters/reporters.ts';

import { sampleRun } from './sample-run.ts';
import { lacks } from '../fixtures/programs.ts';

const HOSTILE = '##vso[task.setvariable variable=a]b\n| <img> @all `x` $a$';

/** Picture of a failed step that stands in a file. */
const KEPT: Evidence = {
  kind: 'picture',
  name: 'page',
  mediaType: 'image/png',
  bytes: Uint8Array.of(1),
  path: '.svc/reports/1/page.png',
};

async function report(name: ReporterName, message?: string, ...kept: readonly Evidence[]): Promise<string> {
  return await written(
    name,
    sampleRun().map((event) => {
      if (event.kind !== 'step-finished' || !event.record.error) return event;
      const error = { ...event.record.error, ...(message !== undefined && { message }) };
      return { ...event, record: { ...event.record, error }, evidence: [...event.evidence, ...kept] };
    }),
  );
}

async function written(name: ReporterName, events: readonly RunEvent[]): Promise<string> {
  let text = '';
  const reporter = (await reporters[name]())(
    { write: (piece) => void (text += piece), colour: false, live: false, columns: 80 },
    { verbose: false },
  );
  for (const event of events) reporter.event(event);
  await reporter.end?.();
  return text;
}

const failures = sampleRun().filter(
  (event) => event.kind === 'step-finished' && event.record.status === 'failed' && !event.record.superseded,
);

test('azure tells each failed step at its place, on one line', async () => {
  const lines = (await report('azure', HOSTILE)).trimEnd().split('\n');
  const errors = lines.filter((line) => line.includes('type=error;sourcepath=') && line.includes('linenumber='));
  expect(errors).toHaveLength(failures.length);
  for (const line of lines) {
    expect(line).toMatch(/^##vso\[task\.logissue type=(?:error|warning);sourcepath=[^\]]+\]\S/);
    expect(line.slice(2)).not.toContain('##');
  }
});

test.each(['azure', 'github', 'gitlab', 'markdown'] as const)(
  '%s names the step as its author did, and tells what was there and what was expected',
  async (name) => {
    const text = (await report(name)).replaceAll('&#58;', ':');
    expect(text).toMatch(name === 'github' ? /title=pay failed::/ : name === 'markdown' ? /^\| pay \|/m : /pay: GET/);
    expect(text).toMatch(/actual: 404/);
    expect(text).toMatch(/expected: 200/);
  },
);

test.each([
  ['azure', /sourcepath=shop\/order\.yaml;.*\]pay \[browser=firefox,user=a\[1\]\]: GET/],
  ['github', /file=shop\/order\.yaml,.*title=pay \[browser=firefox%2Cuser=a\[1\]\] failed::/],
  ['gitlab', /"description": "pay \[browser=firefox,user=a\[1\]\]: GET/],
  ['markdown', /^\| pay \\\[browser=firefox,user=a\\\[1\\\]\\\] \| shop\/order\.yaml&#58;/m],
  ['junit', /<testsuite name="[^"]*\[browser=firefox,user=a\[1\]\]" file="shop\/order\.yaml"/],
  ['ctrf', /"suite": \[\s*"shop\/order\.yaml",\s*"browser=firefox,user=a\[1\]"\s*\]/],
] as const)(
  '%s tells which combination of a matrix a step is of, and names its file without it',
  async (name, told) => {
    const source = 'shop/order.yaml[browser=firefox,user=a[1]]';
    const events = sampleRun().map((event): RunEvent => {
      switch (event.kind) {
        case 'run-started':
          return { ...event, units: event.units.map((unit) => ({ ...unit, source })) };
        case 'step-finished':
          return { ...event, step: { ...event.step, source } };
        case 'unit-finished':
          return { ...event, source, status: 'failed', reason: 'The time is over.' };
        case 'unit-started':
          return { ...event, source };
        default:
          return event;
      }
    });
    const text = await written(name, events);
    expect(text).toMatch(told);
    expect(text).not.toMatch(/(?:sourcepath=|file=|"path": "|"filePath": ")shop\/order\.yaml\[/);
  },
);

test('gitlab writes findings that its merge requests can tell apart', async () => {
  const findings = JSON.parse(await report('gitlab')) as Record<string, unknown>[];
  expect(findings.filter(({ severity }) => severity === 'major').length).toBeGreaterThanOrEqual(failures.length);
  expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length);
  for (const finding of findings)
    expect(finding).toMatchObject({
      description: expect.stringMatching(/\S/) as string,
      check_name: expect.stringMatching(/\S/) as string,
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      location: { path: expect.any(String) as string, lines: { begin: expect.any(Number) as number } },
    });
});

test('ctrf counts what it lists', async () => {
  const { reportFormat, specVersion, results } = JSON.parse(await report('ctrf')) as {
    readonly reportFormat: string;
    readonly specVersion: string;
    readonly results: {
      readonly tool: { readonly name: string };
      readonly summary: Readonly<Record<string, number>>;
      readonly tests: readonly { readonly name: string; readonly status: string; readonly duration: number }[];
    };
  };
  expect([reportFormat, specVersion, results.tool.name]).toEqual(['CTRF', '0.0.0', 'svc']);
  const { tests, passed = 0, failed = 0, skipped = 0, pending = 0, other = 0 } = results.summary;
  expect(tests).toBe(results.tests.length);
  expect(passed + failed + skipped + pending + other).toBe(tests);
  expect(failed).toBeGreaterThanOrEqual(failures.length);
  for (const each of results.tests) {
    expect(each.name).not.toBe('');
    expect(['passed', 'failed', 'skipped', 'pending', 'other']).toContain(each.status);
    expect(Number.isInteger(each.duration)).toBe(true);
  }
});

const formOf = (name: string): string => fileURLToPath(new URL(`formats/${name}`, import.meta.url));

test.each([undefined, HOSTILE])('ctrf is of its form, with the message %j', async (message) => {
  const fits = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(formOf('ctrf.json'), 'utf8')) as object);
  fits(JSON.parse(await report('ctrf', message)));
  expect(fits.errors).toBe(null);
  expect(fits({ reportFormat: 'CTRF', specVersion: '0.0.0' })).toBe(false);
});

test.skipIf(lacks('xmllint')).each([undefined, HOSTILE])(
  'junit is of its form, with the message %j',
  async (message) => {
    const check = (input: string): string =>
      execFileSync('xmllint', ['--noout', '--schema', formOf('junit.xsd'), '-'], {
        input,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    const text = await report('junit', message);
    expect(() => check(text)).not.toThrow();
    const withFiles = await report('junit', message, KEPT);
    expect(withFiles).toContain('[[ATTACHMENT|.svc/reports/1/page.png]]');
    expect(() => check(withFiles)).not.toThrow();
    expect(() => check(text.replace('<testcase ', '<testcase odd="1" '))).toThrow(/odd/);
  },
);

test('markdown lists files and failures, and takes no markup from texts', async () => {
  const text = await report('markdown', HOSTILE);
  expect(text).toMatch(/^## ❌ Failed: \d+ passed/);
  expect(text).toContain('| Step | Place | Message |');
  expect(text).not.toMatch(/<img>|@all|`x`|\$/);
  const rows = text.split('### Failed')[1]?.split('###')[0]?.match(/^\| /gm) ?? [];
  expect(rows.length - 1).toBe(failures.length);
});

test.each([
  ['azure', /^##vso\[task\.logissue type=error;\]The input "who" of shop\/order\.yaml has no value\.$/m],
  ['github', /^::error::The input "who" of shop\/order\.yaml has no value\.%0Agive it with `--var who=VALUE`$/m],
  [
    'gitlab',
    /"description": "The input \\"who\\".*\n\s+"check_name": "SVC80027",\n(?:.*\n)*\s+"path": "shop\/order\.yaml"/,
  ],
  ['html', /<span class="name">run<\/span> The input "who" of shop\/order\.yaml has no value\./],
  ['markdown', /^The input "who" of shop\/order\.yaml has no value\.$/m],
] as const)('%s tells why a run was refused before its first step', async (name, told) => {
  const error = {
    name: 'input-missing',
    class: 'real',
    code: 'SVC80027',
    message: 'The input "who" of shop/order.yaml has no value.',
    help: 'give it with `--var who=VALUE`',
  } as const;
  const events = sampleRun().flatMap((event): readonly RunEvent[] => {
    if (event.kind === 'run-started')
      return [{ ...event, units: [{ source: 'shop/order.yaml', steps: 1, on_failure: 'stop' }] }];
    if (event.kind !== 'run-finished') return [];
    return [{ ...event, outcome: { ...event.outcome, status: 'failed', files: [], refused: [error] } }];
  });
  expect(await written(name, events)).toMatch(told);
});
