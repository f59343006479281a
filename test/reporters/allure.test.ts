import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import { expect, test } from 'vitest';

import type { RunEvent } from '#runtime/kernel/events.ts';
import { allure } from '#runtime/reporters/allure/allure.ts';
import type { AllureContainer, AllureResult } from '#schemas/types/allure.ts';

import { readAllure } from '../fixtures/read-allure.ts';
import { record, sampleRun, view } from './sample-run.ts';

const form = JSON.parse(readFileSync(new URL('formats/result-file.json', import.meta.url), 'utf8')) as object;
const fits = new Ajv({ allErrors: true }).compile(form);

interface Folder {
  readonly results: readonly AllureResult[];
  readonly containers: readonly AllureContainer[];
  readonly attachments: ReadonlyMap<string, string | Uint8Array>;
}

/** The files that a run leaves, by their names. */
function filesOf(events: readonly RunEvent[]): ReadonlyMap<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>();
  const reporter = allure({
    write: () => expect.unreachable('a folder has no stream'),
    file: (name, content) => void files.set(name, content),
    colour: false,
    live: false,
    columns: 80,
  });
  for (const event of events) reporter.event(event);
  return files;
}

/** The files that a run leaves, each held to the published form and to its name. */
function folderOf(events: readonly RunEvent[]): Folder {
  const files = filesOf(events);
  const read = <Of extends { readonly uuid: string }>(ending: string): readonly Of[] =>
    [...files]
      .filter(([name]) => name.endsWith(ending))
      .map(([name, content]) => {
        const value = JSON.parse(String(content)) as Of;
        fits(value);
        expect(fits.errors).toBe(null);
        expect(name).toBe(`${value.uuid}${ending}`);
        return value;
      });
  return {
    results: read('-result.json'),
    containers: read('-container.json'),
    attachments: new Map([...files].filter(([name]) => name.includes('-attachment.'))),
  };
}

test('an attached request hides what stands under the name of a password', () => {
  const request = { method: 'POST', url: 'http://127.0.0.1/', headers: {}, body: '{"user":"ada","password":"s3-33"}' };
  const { attachments } = folderOf(
    sampleRun().map((event) =>
      event.kind === 'step-finished' && event.evidence.length > 0
        ? { ...event, evidence: [{ kind: 'http', elapsed_ms: 1, request }] }
        : event,
    ),
  );
  expect([...attachments.values()].map(String).join('')).toContain('{"user":"ada","password":"***"}');
});

test('a file of actions is a case, a row of its dataset another', () => {
  const { results, containers } = folderOf(sampleRun());
  expect(containers).toEqual([]);
  expect(results.map(({ name, status, historyId, parameters }) => ({ name, status, historyId, parameters }))).toEqual([
    { name: 'Orders', status: 'failed', historyId: 'shop/order.yaml', parameters: [] },
    {
      name: 'Orders [row 2]',
      status: 'passed',
      historyId: 'shop/order.yaml [row 2]',
      parameters: [{ name: 'row', value: '2' }],
    },
  ]);
  const [first] = results;
  expect(first?.steps.map(({ name, status, statusDetails }) => [name, status, statusDetails.flaky ?? false])).toEqual([
    ['AT_test_api_method', 'passed', false],
    ['place an order', 'passed', false],
    ['AT_test_api_method', 'passed', true],
    ['pay', 'failed', false],
    ['AT_test_api_method', 'skipped', false],
  ]);
  expect(first?.statusDetails).toEqual({
    message: 'GET http://127.0.0.1/orders answered <404> & "no"; 200 was expected.',
    trace: 'because: Error: socket, half: open 100%',
  });
  expect(first?.stop).toBe((first?.start ?? 0) + 12);
});

test('evidence of failed steps stands beside the case, and no other does', () => {
  const { results, attachments } = folderOf(sampleRun());
  const pay = results[0]?.steps[3];
  expect(pay?.attachments.map(({ name, type }) => [name, type])).toEqual([
    ['GET http://127.0.0.1/orders', 'text/plain'],
    ['at failure', 'image/png'],
  ]);
  expect(pay?.attachments.map(({ source }) => source)).toEqual([...attachments.keys()]);
  const [exchange, picture] = [...attachments.values()];
  expect(exchange).toContain('< 404 in 31 ms\n< content-type: text/html\n<\n< <h1>Not & found</h1>\n');
  expect(picture).toEqual(new Uint8Array([137, 80, 78, 71]));
});

const source = 'shop/order.yaml';
const [began] = sampleRun();
const counts = { passed: 1, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };

function finished(step: ReturnType<typeof view>, over: Parameters<typeof record>[1] = {}): RunEvent {
  return { kind: 'step-finished', step, record: record(step, over), evidence: [] };
}

function ended(status: 'passed' | 'failed' | 'skipped', reason?: string): RunEvent {
  return { kind: 'unit-finished', source, status, counts, duration_ms: 5, ...(reason !== undefined && { reason }) };
}

function run(...events: readonly RunEvent[]): readonly RunEvent[] {
  return [...(began ? [began] : []), ...events, ...sampleRun().slice(-1)];
}

test('steps of nested lists stand inside the step that holds them', () => {
  const [outer, other, inner] = [view(0, { name: 'outer' }), view(1, { name: 'other' }), view(2, { name: 'inner' })];
  const { results } = folderOf(
    run(
      finished(inner, { parent: outer.id }),
      finished(view(3, { name: 'of the other' }), { parent: other.id }),
      finished(outer),
      finished(other),
      ended('passed'),
    ),
  );
  expect(results[0]?.steps.map(({ name, steps }) => [name, steps.map((step) => step.name)])).toEqual([
    ['outer', ['inner']],
    ['other', ['of the other']],
  ]);
});

test('setup and teardown are a container of the case, and their failure is one of it', () => {
  const error = { name: 'connection-lost', message: 'No server.', class: 'environment' } as const;
  const { results, containers } = folderOf(
    run(
      finished(view(0, { part: 'setup', name: 'open' }), { status: 'failed', error }),
      finished(view(1), { status: 'skipped', reason: 'setup failed' }),
      finished(view(2, { part: 'teardown', name: 'close' })),
      ended('failed'),
    ),
  );
  expect(results).toMatchObject([{ status: 'broken', statusDetails: { message: 'No server.' } }]);
  expect(containers).toMatchObject([
    { children: [results[0]?.uuid], befores: [{ name: 'open', status: 'broken' }], afters: [{ name: 'close' }] },
  ]);
});

test.each([
  ['failed', 'there is no such file', 'broken'],
  ['skipped', 'another file failed', 'skipped'],
] as const)('a file that %s beside its steps says why', (status, reason, said) => {
  const { results } = folderOf(run(ended(status, reason)));
  expect(results).toMatchObject([{ status: said, steps: [], statusDetails: { message: reason } }]);
});

test('a file that runs twice is two cases of one history, and a stopped one is kept', () => {
  const { results } = folderOf(run(finished(view(0)), ended('passed'), finished(view(0))));
  expect(results.map(({ status, historyId }) => [status, historyId])).toEqual([
    ['passed', source],
    ['broken', source],
  ]);
  expect(new Set(results.map(({ uuid }) => uuid)).size).toBe(2);
});

test('the reader of the reports finds cases, steps, what stands around them and evidence', async () => {
  const [around, held] = [view(6, { part: 'setup', name: 'open' }), view(7, { name: 'held' })];
  const [started, ...rest] = sampleRun();
  const more = [finished(around), finished(held, { parent: `${source}#3` })];
  const read = await readAllure(filesOf([...(started ? [started] : []), ...more, ...rest]));
  expect(read.unknown).toEqual([]);
  expect(read.attachments).toHaveLength(2);
  expect(read.fixtures).toMatchObject([{ type: 'before', name: 'open', status: 'passed' }]);
  expect(read.fixtures[0]?.testResults).toEqual(read.results.map(({ uuid }) => uuid));
  expect(read.results).toMatchObject([
    {
      name: 'Orders',
      fullName: source,
      testId: source,
      historyId: source,
      status: 'failed',
      message: 'GET http://127.0.0.1/orders answered <404> & "no"; 200 was expected.',
      labels: [
        { name: 'framework', value: 'svc' },
        { name: 'language', value: 'yaml' },
        { name: 'suite', value: source },
      ],
    },
    {
      name: 'Orders [row 2]',
      testId: source,
      historyId: `${source} [row 2]`,
      parameters: [{ name: 'row', value: '2' }],
    },
  ]);
  expect(read.results[0]?.steps).toMatchObject([
    { name: 'AT_test_api_method', status: 'passed' },
    { name: 'place an order', status: 'passed' },
    { name: 'AT_test_api_method', status: 'passed' },
    {
      name: 'pay',
      status: 'failed',
      steps: [
        { type: 'step', name: 'held' },
        { type: 'attachment', originalFileName: read.attachments[0], contentType: 'text/plain' },
        { type: 'attachment', originalFileName: read.attachments[1], contentType: 'image/png' },
      ],
    },
    { name: 'AT_test_api_method', status: 'skipped', message: 'needs #3' },
  ]);
});
