import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import type { ReporterTarget, RunEvent } from '#runtime/kernel/events.ts';
import { base64 } from '#runtime/reporters/html/base64.ts';
import { html as markup } from '#grammar/markup/html.ts';
import { script } from '#runtime/reporters/html/script.ts';
import type { ReporterName } from '#runtime/reporters/names.ts';
import { reporters } from '#runtime/reporters/reporters.ts';

import { record, sampleRun, view } from './sample-run.ts';

async function report(
  name: ReporterName,
  events: readonly RunEvent[],
  over: Partial<ReporterTarget> & { verbose?: boolean } = {},
): Promise<string> {
  let text = '';
  const open = await reporters[name]();
  const reporter = open(
    { write: (piece) => void (text += piece), colour: false, live: false, columns: 80, ...over },
    { verbose: over.verbose === true },
  );
  for (const event of events) reporter.event(event);
  await reporter.end?.();
  return text;
}

test.each([
  ['human', 'txt'],
  ['json', 'json'],
  ['junit', 'xml'],
  ['tap', 'tap'],
  ['github', 'txt'],
] as const)('%s says what happened', async (name, ending) => {
  await expect(await report(name, sampleRun())).toMatchFileSnapshot(`expected/${name}.${ending}`);
});

test('a failure that knows only what was expected says nothing of what there was', async () => {
  const step = view(1);
  const error = { name: 'x', message: 'The digest is another.', class: 'real', expected: 'ab' } as const;
  const [started, ...rest] = sampleRun();
  const failed = { kind: 'step-finished', step, record: record(step, { status: 'failed', error }), evidence: [] };
  for (const name of ['human', 'junit', 'tap', 'github', 'markdown', 'html'] as const) {
    const text = (await report(name, [started, failed, ...rest.slice(-1)] as RunEvent[])).replaceAll('&quot;', '"');
    expect(text, name).toMatch(/"ab\\?"/);
    expect(text, name).not.toContain('(nothing)');
  }
});

test('reports without pictures name the files that were kept of a step', async () => {
  const step = view(1);
  const path = '.svc/reports/1/failure-1';
  const kept = [
    { kind: 'picture', name: 'page', mediaType: 'image/png', bytes: Uint8Array.of(1), path: `${path}/picture.png` },
    { kind: 'text', name: 'source of the page', text: '<p>', file: 'page.html', path: `${path}/page.html` },
    { kind: 'text', name: 'difference', text: '-a' },
  ] as const;
  const [started, ...rest] = sampleRun();
  const failed = record(step, { status: 'failed', error: { name: 'x', message: 'lost', class: 'real' } });
  const events = [started, { kind: 'step-finished', step, record: failed, evidence: kept }, ...rest] as RunEvent[];
  expect(await report('junit', events)).toContain(
    `</failure><system-out>[[ATTACHMENT|${path}/picture.png]]&#10;[[ATTACHMENT|${path}/page.html]]</system-out>`,
  );
  expect(JSON.parse(await report('ctrf', events))).toMatchObject({
    results: {
      tests: expect.arrayContaining([
        expect.objectContaining({
          attachments: [
            { name: 'page', contentType: 'image/png', path: `${path}/picture.png` },
            { name: 'source of the page', contentType: 'text/html', path: `${path}/page.html` },
          ],
        }),
      ]) as unknown,
    },
  });
  expect(await report('markdown', events)).toContain('lost<br>.svc/reports/1/failure&#45;1/picture.png<br>');
});

test('pictures that differ stand side by side for the one who approves them', async () => {
  const step = view(1, { command: 'WR_visual_compare' });
  const pictures = ['baseline', 'current', 'difference'].map(
    (name, index) => ({ kind: 'picture', name, mediaType: 'image/png', bytes: Uint8Array.of(index) }) as const,
  );
  const [started, ...rest] = sampleRun();
  const page = async (result: object, file = 'shop/order.yaml'): Promise<string> =>
    report('html', [
      started,
      { kind: 'step-finished', step, record: record(step, { result: { ...result }, file }), evidence: pictures },
      ...rest,
    ] as RunEvent[]);
  const text = await page({ match: false });
  const section = /<section id="pictures"><h2>Pictures to approve<\/h2>([^]*?)<\/section>/.exec(text)?.[1] ?? '';
  expect([...section.matchAll(/alt="Picture: (\w+)"/g)].map(([, name]) => name)).toEqual([
    'baseline',
    'current',
    'difference',
  ]);
  expect(text.match(/alt="Picture: baseline"/g)).toHaveLength(1);
  expect(section).toContain('<code>svc run shop/order.yaml --update-snapshots</code>');
  expect(await page({ match: false }, 'my shop/order.yaml')).toContain('svc run "my shop/order.yaml" --update');
  expect(await page({ match: false }, "it's $(id).yaml")).toContain(String.raw`svc run 'it'\''s $(id).yaml' --update`);
  expect(await page({ match: true, baseline: 'updated' })).toContain('Stored as the new baseline by this run.');
  expect(await page({ match: true })).not.toContain('id="pictures"');
});

test('human shows every step with requests and attempts under -v', async () => {
  await expect(await report('human', sampleRun(), { verbose: true })).toMatchFileSnapshot('expected/human-verbose.txt');
});

test('human colours only where it may', async () => {
  expect(await report('human', sampleRun())).not.toContain('\u001b[');
  expect(await report('human', sampleRun(), { colour: true })).toContain('\u001b[31m');
});

test('carets of a failure keep to the width of the terminal', async () => {
  const text = await report('human', sampleRun(), { columns: 40 });
  const frame = text.split('\n').filter((line) => /^ (?:6 \|| {2}\| +\^)/.test(line));
  expect(frame).toHaveLength(2);
  for (const line of frame) expect(line.length).toBeLessThanOrEqual(40);
  expect(frame[0]).toContain('…');
});

test('human keeps a last line on a terminal and takes it away', async () => {
  const text = await report('human', sampleRun(), { live: true });
  expect(text).toContain('[0/6] AT_test_api_method');
  expect(text.lastIndexOf('\r\u001b[2K')).toBeGreaterThan(text.lastIndexOf('[0/6]'));
});

test('what a step or a server says cannot command a terminal', async () => {
  const step = view(0, { name: 'a \u001b[2Jname' });
  const error = {
    name: 'Error',
    message: 'answered \u001b]0;title\u0007',
    class: 'real',
    actual: '\u009b31m\u202e',
  } as const;
  const text = await report(
    'human',
    [
      {
        kind: 'step-finished',
        step,
        record: record(step, { status: 'failed', error }),
        evidence: [
          {
            kind: 'http',
            elapsed_ms: 1,
            request: { method: 'GET', url: 'http://127.0.0.1/', headers: {} },
            response: { status: 200, headers: { 'x-a': '\u001b[31m' }, body: '\u001b[1mbold\r\nline' },
          },
        ],
      },
    ],
    { verbose: true },
  );
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(text).toContain('a ␛[2Jname');
});

test('human prints files that run at once one after another', async () => {
  const place = (file: string) => ({ file, line: 1, column: 1, text: '- x' });
  const a = view(0, { id: 'a.yaml#0', source: 'a.yaml', name: 'from a', place: place('a.yaml') });
  const b = view(0, { id: 'b.yaml#0', source: 'b.yaml', name: 'from b', place: place('b.yaml') });
  const counts = { passed: 1, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
  const done = (source: string): RunEvent => ({
    kind: 'unit-finished',
    source,
    status: 'passed',
    counts,
    duration_ms: 5,
  });
  const text = await report('human', [
    { kind: 'unit-started', source: 'a.yaml' },
    { kind: 'unit-started', source: 'b.yaml' },
    { kind: 'step-finished', step: b, record: record(b), evidence: [] },
    { kind: 'step-finished', step: a, record: record(a), evidence: [] },
    done('b.yaml'),
    done('a.yaml'),
  ]);
  expect(text.split('\n').map((line) => line.trim().split('  ')[0])).toEqual([
    'a.yaml',
    '✓ from a',
    '1 passed in 5 ms',
    'b.yaml',
    '✓ from b',
    '1 passed in 5 ms',
    '',
  ]);
});

test('junit is well-formed XML with matching counts', async () => {
  const xml = await report('junit', sampleRun());
  expect(xml).toContain('tests="6" failures="1" errors="0" skipped="1"');
  expect(execFileSync('xmllint', ['--xpath', 'count(//testcase)', '-'], { input: xml, encoding: 'utf8' }).trim()).toBe(
    '6',
  );
  expect(
    execFileSync('xmllint', ['--xpath', 'string(//failure/@message)', '-'], { input: xml, encoding: 'utf8' }).trim(),
  ).toContain('<404> & "no"');
});

test('html escapes everything that came from outside, and allows only its own script', async () => {
  const page = await report('html', sampleRun());
  expect(page).toContain('&lt;h1&gt;Not &amp; found&lt;/h1&gt;');
  expect(page).not.toContain('<h1>Not');
  expect(page.indexOf('<h2>Failures')).toBeLessThan(page.indexOf('<h2>Files'));
  expect(page).toContain(`data:image/png;base64,${Buffer.from([137, 80, 78, 71]).toString('base64')}`);
  expect(script.hash).toBe(createHash('sha256').update(script.source).digest('base64'));
  expect(page).toContain(`<script>${script.source}</script>`);
});

test('html names files, shows an answer once with its structure, and code as code', async () => {
  const step = view(0);
  const [started, , , ...rest] = sampleRun();
  const error = { name: 'x', message: 'give it `a name`', class: 'real' } as const;
  const page = await report('html', [
    ...(started?.kind === 'run-started' ? [{ ...started, seed: 7 }] : []),
    {
      kind: 'step-finished',
      step,
      record: record(step, { status: 'failed', error, result: { status_code: 200, text: '{"a":[1]}' } }),
      evidence: [
        {
          kind: 'http',
          elapsed_ms: 1,
          request: { method: 'GET', url: 'http://127.0.0.1/', headers: {} },
          response: { status: 200, headers: {}, body: '{"a":[1]}' },
        },
      ],
    },
    ...rest.slice(-1),
  ]);
  const failures = page.slice(page.indexOf('id="failures"'), page.indexOf('id="files"'));
  expect(page).toContain(' &#183; seed 7</p>');
  expect(failures.match(/<h3>Re(?:quest|sponse)<\/h3>/g)).toHaveLength(2);
  expect(failures).toContain('{\n  "a": [\n    1\n  ]\n}');
  expect(failures).not.toContain('status_code');
  expect(failures).toContain('give it <code>a name</code>');
  expect(page).toMatch(/<details class="file failed" open>.*shop\/order\.yaml<.*Orders &#183; /s);
});

test.each(['html', 'human'] as const)('%s hides what stands under the name of a password in a body', async (name) => {
  const step = view(0);
  const [started, , , ...rest] = sampleRun();
  const error = { name: 'x', message: 'it does not hold', class: 'real' } as const;
  const answer = '{"user":"ada","password":"hunter-22"}';
  const text = await report(
    name,
    [
      ...(started ? [started] : []),
      {
        kind: 'step-finished',
        step,
        record: record(step, {
          status: 'failed',
          error,
          result: { status_code: 200, request_method: 'POST', request_url: 'http://127.0.0.1/', text: answer },
        }),
        evidence: [
          {
            kind: 'http',
            elapsed_ms: 1,
            request: { method: 'POST', url: 'http://127.0.0.1/', headers: {}, body: 'user=ada&password=s3cr3t-33' },
            response: { status: 200, headers: {}, body: answer },
          },
        ],
      },
      ...rest.slice(-1),
    ],
    { verbose: true },
  );
  expect(text).not.toMatch(/hunter-22|s3cr3t-33/);
  expect(text).toContain('user=ada&'.replace('&', name === 'html' ? '&amp;' : '&') + 'password=***');
  // The terminal shows the answer of a step that failed, and with `-v` every request and answer.
  expect(text.match(/password(?:"|&quot;): ?(?:"|&quot;)\*\*\*/g)).toHaveLength(name === 'html' ? 1 : 2);
});

test('html shows a step that holds others before those, also nested', async () => {
  const step = (id: string, parent?: string) =>
    view(0, { id: `shop/order.yaml#${id}`, ...(parent !== undefined && { parent: `shop/order.yaml#${parent}` }) });
  const steps = [
    step('0'),
    step('1.then.0.then.0', '1.then.0'),
    step('1.then.0', '1'),
    step('1.then.1', '1'),
    step('1'),
    step('2.then.0', '2'),
    step('own', '2'),
    step('2'),
    step('3'),
  ];
  const [started, ...rest] = sampleRun();
  const page = await report('html', [
    ...(started ? [started] : []),
    ...steps.map((each): RunEvent => ({
      kind: 'step-finished',
      step: each,
      record: record(each, { ...(each.parent !== undefined && { parent: each.parent }) }),
      evidence: [],
    })),
    ...rest.slice(-1),
  ]);
  const files = page.slice(page.indexOf('id="files"'));
  expect([...files.matchAll(/<span class="dim">(#[\w.]+)/g)].map(([, id]) => id)).toEqual([
    '#0',
    '#1',
    '#1.then.0',
    '#1.then.0.then.0',
    '#1.then.1',
    '#2',
    '#2.then.0',
    '#own',
    '#3',
  ]);
});

test('html leaves out pictures beyond its size and says so', async () => {
  const [started, ...rest] = sampleRun();
  const picture = {
    kind: 'picture',
    name: 'page',
    mediaType: 'image/png',
    bytes: new Uint8Array(5 * 1024 * 1024),
  } as const;
  const steps = Array.from({ length: 3 }, (_, index) => view(index + 10));
  const page = await report('html', [
    ...(started ? [started] : []),
    ...steps.map((step): RunEvent => ({ kind: 'step-finished', step, record: record(step), evidence: [picture] })),
    ...rest.slice(-1),
  ]);
  expect(page.match(/<img /g)).toHaveLength(1);
  expect(page.match(/are left out, because the page would become too large/g)).toHaveLength(2);
});

test('the markup template escapes text and keeps markup', () => {
  expect(markup`<a title="${'"><script>'}">${[markup`<b>${1}</b>`, markup`<i>${false}</i>`]}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;"><b>1</b><i></i></a>',
  );
});

test('a page keeps quotation marks where they can end nothing', () => {
  const value = `"'<&`;
  const whole = '&quot;&#39;&lt;&amp;';
  const text = `"'&lt;&amp;`;
  expect(markup`<a title="${value}" rel='${value}' id=${value}>${value}</a>${value}`.text).toBe(
    `<a title="${whole}" rel='${whole}' id=${whole}>${text}</a>${text}`,
  );
  expect(markup`<a title="a > ${value}">`.text).toBe(`<a title="a > ${whole}">`);
  expect(markup`${value}`.text).toBe(whole);
  expect(markup` title="${value}"`.text).toBe(` title="${whole}"`);
  expect(markup`<script>let a = "${value}";</script><p>${value}`.text).toBe(
    `<script>let a = "${whole}";</script><p>${text}`,
  );
  expect(markup`<p>${'a\rb\0c\ud800 ##vso[x]'}`.text).toBe('<p>a&#13;b\ufffdc\ufffd #&#35;vso[x]');
});

test('base64 agrees with the platform over piece borders', () => {
  const bytes = new Uint8Array(100_003).map((_, index) => index % 251);
  expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});

test.each(Object.keys(reporters) as ReporterName[])('%s takes more steps than a call takes arguments', async (name) => {
  const [started, ...rest] = sampleRun();
  const step = view(1);
  const finished = { kind: 'step-finished', step, record: record(step, {}), evidence: [] } as RunEvent;
  const many = Array.from({ length: 140_000 }, () => finished);
  const events = [started, ...many, ...rest] as RunEvent[];
  await expect(report(name, events)).resolves.toEqual(expect.any(String));
});
