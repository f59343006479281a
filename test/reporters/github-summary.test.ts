import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { RunEvent } from '#runtime/kernel/events.ts';
import { openReporter } from '#runtime/program/reports.ts';
import type { ReporterName } from '#runtime/reporters/names.ts';
import { reporters } from '#runtime/reporters/reporters.ts';

import { lacks } from '../fixtures/programs.ts';

import { record, sampleRun, view } from './sample-run.ts';

const MIB = 1024 * 1024;

let folder = '';
let page = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-page-'));
  page = join(folder, 'page.md');
  await writeFile(page, '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Reports a run where GitHub Actions names this file, and yields what went to standard output. */
async function report(
  events: readonly RunEvent[],
  { name = 'github', file = page }: { readonly name?: ReporterName; readonly file?: string } = {},
): Promise<string> {
  let text = '';
  const output = { write: (piece: string) => void (text += piece), colour: false, live: false, columns: 80 };
  const { files } = nodeHost({ cwd: folder });
  const env = { GITHUB_STEP_SUMMARY: file };
  const options = { files, bounds: [folder], reporters, cwd: folder, env, verbose: false, output };
  const reporter = await openReporter({ name }, options);
  for (const event of events) reporter.event(event);
  await reporter.end?.();
  return text;
}

const written = (): Promise<string> => readFile(page, 'utf8');

/** The sample run with so many failed steps, each with this message and name. */
function failing(count: number, message: string, name = 'pay'): readonly RunEvent[] {
  const failed = Array.from({ length: count }, (_, index): RunEvent => {
    const step = view(index, { name });
    const error = { name: 'odd', class: 'real', message } as const;
    return { kind: 'step-finished', step, record: record(step, { status: 'failed', error }), evidence: [] };
  });
  return sampleRun().flatMap((event) =>
    event.kind === 'step-finished' ? [] : event.kind === 'run-finished' ? [...failed, event] : [event],
  );
}

/** The sample run with another outcome. */
function ending(outcome: Partial<Extract<RunEvent, { kind: 'run-finished' }>['outcome']>): readonly RunEvent[] {
  return sampleRun().map((event) =>
    event.kind === 'run-finished' ? { ...event, outcome: { ...event.outcome, ...outcome } } : event,
  );
}

test('tells counts, time, what failed and was flaky, the seed, and how to run again', async () => {
  await report(ending({ seed: 7 }));
  expect(await written()).toBe(`## ❌ Failed: 4 passed (1 flaky), 1 failed, 1 skipped in 2.1 s

### Failed

| Step | Place | Message |
|---|---|---|
| pay | shop/order.yaml&#58;6 | GET http&#58;//127.0.0.1/orders answered &lt;404\\> &amp; "no"; 200 was expected.<br>actual&#58; 404<br>expected&#58; 200 |

### Flaky

| Step | Place | Message |
|---|---|---|
| AT\\_test\\_api\\_method | shop/order.yaml&#58;5 | Passed after 2 attempts. |

Seed 7.

To run again what failed, at the root of the project and with the options of this run:

    svc run shop/order.yaml --seed 7
`);
});

test('stands behind what other runs of the step have appended, also where their last line is open', async () => {
  await writeFile(page, 'before');
  await report(sampleRun());
  await report(ending({ status: 'passed' }));
  expect((await written()).match(/^(?:before|## .*?:)/gm)).toEqual(['before', '## ❌ Failed:', '## ✅ Passed:']);
});

test('is written by no other reporter, and by none where the variable is empty', async () => {
  for (const name of ['azure', 'markdown', 'human'] as const) await report(sampleRun(), { name });
  expect(await report(sampleRun(), { file: '' })).not.toContain('summary');
  expect(await written()).toBe('');
});

test('takes no markup, mention, formula or row from texts', async () => {
  const odd = '<img src=x> @all `x` | y\n| z | $a$ \u001b[31m\u202e[a](http://b) ##[error]x';
  await report(failing(1, odd, odd));
  const text = await written();
  expect(text).not.toMatch(/<img|@all|(?<!\\)`|\$|[\u001b\u202e]|(?<!\\)\[/);
  expect(text.match(/(?<!\\)\|/g)).toHaveLength(3 * 4);
});

test('names files that a shell would read otherwise as one word, and no combination of a matrix', async () => {
  const sample = ending({}).at(-1);
  if (sample?.kind !== 'run-finished') throw new Error('the sample has no end');
  const [file] = sample.outcome.files;
  if (!file) throw new Error('the sample has no file');
  const names = ["it's $(id).yaml", '-v.yaml', 'a.yaml[browser=firefox]', 'a.yaml[browser=chromium]'];
  await report(ending({ files: names.map((name) => ({ ...file, file: name })) }));
  expect(await written()).toContain(`\n    svc run 'it'\\''s $(id).yaml' ./-v.yaml a.yaml\n`);
  await report(ending({ files: Array.from({ length: 11 }, (_, index) => ({ ...file, file: `${index}.yaml` })) }));
  expect(await written()).toContain('\n    svc run . --last-failed\n');
});

test('lists 50 failures and counts the others', async () => {
  await report(failing(53, 'odd'));
  const text = await written();
  expect(text.match(/^\| pay \|/gm)).toHaveLength(50);
  expect(text).toContain('\n\n… and 3 more.\n');
});

test('stays below 64 KiB, whatever the texts are', async () => {
  const reason = '@'.repeat(10_000);
  const files = Array.from({ length: 2_000 }, (_, index) => ({
    file: `${'@'.repeat(2_000)}${index}.yaml`,
    status: 'failed' as const,
    reason,
    counts: { passed: 0, flaky: 0, failed: 1, skipped: 0, dry_run: 0 },
    duration_ms: 1,
  }));
  const events = failing(500, '@\u{1f600}'.repeat(5_000), '$'.repeat(5_000));
  await report(
    events.map((event) =>
      event.kind === 'run-finished' ? { ...event, outcome: { ...event.outcome, files, stopped: reason } } : event,
    ),
  );
  const text = await written();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024);
  expect(text).toMatch(/… and 4\d\d more\./);
  expect(text).toContain('svc run . --last-failed');
});

test('tells why a run was refused, and gives no command for what did not run', async () => {
  const error = { name: 'input-missing', class: 'real', message: 'No value for "who".', help: 'give it' } as const;
  await report(ending({ files: [], refused: [error] }));
  expect(await written()).toContain('\n\nNo value for "who".<br>give it\n');
  expect(await written()).not.toContain('svc run');
});

test('that cannot be written is a warning', async () => {
  for (const [file, reason] of [
    [join(folder, 'missing.md'), 'it is not there'],
    [folder, 'it is a folder'],
    ['/dev/null', 'it is no regular file'],
  ] as const)
    expect(await report(sampleRun(), { file })).toContain(
      `::warning title=No summary of the run::"${file}" cannot be written: ${reason}.`,
    );
});

test('is not written through a link, nor into a pipe', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'svc-page-'));
  try {
    await symlink(page, join(folder, 'link.md'));
    await symlink(page, join(outside, 'link.md'));
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real/page.md'), '');
    await symlink('real', join(folder, 'other'));
    for (const file of [join(folder, 'link.md'), join(outside, 'link.md'), join(folder, 'other/page.md')])
      expect(await report(sampleRun(), { file })).toContain('::warning title=No summary of the run::');
    expect([await written(), await readFile(join(folder, 'real/page.md'), 'utf8')]).toEqual(['', '']);
  } finally {
    await rm(outside, { recursive: true });
  }
});

test.skipIf(lacks('mkfifo'))('waits for nobody who reads from a pipe', async () => {
  const file = join(folder, 'pipe');
  execFileSync('mkfifo', [file]);
  expect(await report(sampleRun(), { file })).toContain('cannot be written: nobody reads from it.');
});

test('is left out where all summaries of the step would become more than GitHub takes', async () => {
  await writeFile(page, 'x'.repeat(MIB - 100));
  expect(await report(sampleRun())).toContain('cannot be written: it is too large.');
  expect(await written()).toHaveLength(MIB - 100);
});
