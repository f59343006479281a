import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { imports, loadOtlp, loadPackages } from '#runtime/adapters/tracing/packages.ts';
import { nodeHost } from '#runtime/hosts/node.ts';

import { startCollector, type CollectedSpan, type Collector } from '../../../fixtures/otlp-collector.ts';
import { failureOf, session, type Session } from '../../call.ts';
import { runActions } from '../run-actions.ts';

let root: string;
let collector: Collector;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-tracing-'));
  collector = await startCollector();
});
afterEach(async () => {
  await collector[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** `command of its parent > command`, sorted. */
function shapeOf(spans: readonly CollectedSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const name = (span: CollectedSpan | undefined): string => (span ? String(span.attributes['fa.action']) : '');
  return spans.map((span) => `${name(byId.get(span.parentSpanId ?? ''))} > ${name(span)}`).sort();
}

function noticesOf(unit: Session): readonly string[] {
  const notices: string[] = [];
  const { emit } = unit.work.run;
  unit.work.run.emit = (event) => {
    if (event.kind === 'notice') notices.push(event.text);
    emit.call(unit.work.run, event);
  };
  return notices;
}

function hostWith(env: Readonly<Record<string, string>>): ReturnType<typeof nodeHost> {
  return { ...nodeHost(), env };
}

describe('spans', () => {
  test('one a step, below the step that holds it, in one trace, flushed at the end of the file', async () => {
    const { errors } = await runActions(root, [
      ['FA_create_dir', { dir_path: join(root, 'before') }],
      [
        'FA_tracing_init',
        {
          service_name: 'nightly',
          exporter: collector.url,
          resource_attributes: { 'deployment.environment.name': 'test', retries: 3, tags: ['a', 'b'] },
        },
      ],
      { FA_create_dir: { dir_path: join(root, 'a') }, id: 'first', name: 'make a folder' },
      [
        'FA_if_exists',
        {
          path: root,
          then: [
            ['FA_if_exists', { path: root, then: [['FA_create_dir', { dir_path: join(root, 'b') }]] }],
            ['FA_remove_file', { file_path: join(root, 'missing.txt') }],
          ],
        },
      ],
      { FA_create_dir: { dir_path: join(root, 'c') }, when: '1 == 2' },
      ['FA_execute_action', { action_list: [['FA_create_dir', { dir_path: join(root, 'd') }]], dry_run: true }],
    ]);
    expect(errors).toEqual([]);
    const { spans } = collector;
    expect(shapeOf(spans)).toEqual([
      ' > FA_create_dir',
      ' > FA_execute_action',
      ' > FA_if_exists',
      'FA_if_exists > FA_create_dir',
      'FA_if_exists > FA_if_exists',
      'FA_if_exists > FA_remove_file',
    ]);
    expect(new Set(spans.map(({ name }) => name))).toEqual(new Set(['svc.action']));
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(
      spans.every(
        ({ traceId, spanId, start, end }) =>
          /^[0-9a-f]{32}$/.test(traceId) && /^[0-9a-f]{16}$/.test(spanId) && end >= start,
      ),
    ).toBe(true);
    const first = spans.find(({ attributes }) => attributes['svc.step.id'] === 'actions.json#first');
    expect(first).toMatchObject({
      status: { code: 1 },
      attributes: {
        'fa.action': 'FA_create_dir',
        'svc.step.name': 'make a folder',
        'svc.step.status': 'passed',
        'svc.step.attempts': 1,
        'code.file.path': 'actions.json',
        'code.line.number': 1,
      },
    });
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'nightly',
      'deployment.environment.name': 'test',
      retries: 3,
      tags: ['a', 'b'],
      'telemetry.sdk.language': 'nodejs',
    });
  });

  test('a failed step says so, and the step that holds it too', async () => {
    await runActions(root, [
      ['FA_tracing_init', { exporter: collector.url }],
      [
        'FA_if_exists',
        { path: root, then: [['FA_copy_file', { file_path: join(root, 'none'), target_path: join(root, 'x') }]] },
      ],
    ]);
    const failed = collector.spans.find(({ attributes }) => attributes['fa.action'] === 'FA_copy_file');
    const message = `There is no file "${join(root, 'none')}".`;
    expect(failed).toMatchObject({
      status: { code: 2, message },
      attributes: { 'error.type': 'SVC85000', 'svc.step.status': 'failed' },
    });
    expect(failed?.events).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'SVC85000', 'exception.message': message } },
    ]);
    expect(collector.spans.find(({ attributes }) => attributes['fa.action'] === 'FA_if_exists')?.status.code).toBe(2);
  });

  test('hold no secret, and neither parameters nor results', async () => {
    await using unit = await session();
    unit.work.run.masker.add('hunter22');
    await unit.call('FA_tracing_init', { exporter: collector.url });
    await unit.step('FA_file_checksum', { path: '/nowhere/hunter22' });
    await unit.call('FA_create_file', { file_path: join(root, 'a.txt'), content: 'parameter-text' });
    await unit.call('FA_tracing_shutdown');
    expect(collector.spans).toHaveLength(2);
    expect(
      JSON.stringify(collector.spans, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/hunter22|parameter-text/);
  });

  test('join the trace of whoever started the process', async () => {
    await using unit = await session({
      host: hostWith({ TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    });
    await unit.call('FA_tracing_init', { exporter: collector.url });
    await unit.call('FA_create_dir', { dir_path: join(root, 'a') });
    await unit.call('FA_tracing_shutdown');
    expect(collector.spans).toMatchObject([
      { traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' },
    ]);
  });

  test('of dataset rows and parallel nodes find their own parents', async () => {
    const { errors } = await runActions(root, [
      ['FA_tracing_init', { exporter: collector.url }],
      [
        'FA_execute_action_parallel',
        {
          action_list: Array.from({ length: 4 }, (_, index) => [
            'FA_if_exists',
            { path: root, then: [['FA_create_dir', { dir_path: join(root, `p${index}`) }]] },
          ]),
        },
      ],
    ]);
    expect(errors).toEqual([]);
    const byId = new Map(collector.spans.map((span) => [span.spanId, span.attributes['svc.step.id']]));
    const inner = collector.spans.filter(({ attributes }) => attributes['fa.action'] === 'FA_create_dir');
    expect(inner).toHaveLength(4);
    for (const { parentSpanId, attributes } of inner)
      expect(String(attributes['svc.step.id'])).toBe(`${String(byId.get(parentSpanId ?? ''))}.then.0`);
  });

  test('switched off within a list: what lies below the list keeps its parent', async () => {
    await runActions(root, [
      ['FA_tracing_init', { exporter: collector.url }],
      [
        'FA_if_exists',
        { path: root, then: [['FA_create_dir', { dir_path: join(root, 'a') }], ['FA_tracing_shutdown']] },
      ],
    ]);
    expect(shapeOf(collector.spans)).toEqual([' > FA_if_exists', 'FA_if_exists > FA_create_dir']);
  });

  test('many of them all arrive', async () => {
    await using unit = await session();
    await unit.call('FA_tracing_init', { exporter: collector.url });
    for (let index = 0; index < 1500; index++) await unit.call('FA_is_within', { base: '/a', user_path: 'b' });
    await unit.call('FA_tracing_shutdown');
    expect(collector.spans).toHaveLength(1500);
    expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(1500);
  });
});

describe('switching', () => {
  test('on once, off once, and on again', async () => {
    await using unit = await session();
    const told = [];
    for (const name of [
      'FA_tracing_shutdown',
      'FA_tracing_init',
      'FA_tracing_init',
      'FA_tracing_shutdown',
      'FA_tracing_shutdown',
      'FA_tracing_init',
    ] as const)
      told.push(await unit.call(name, name === 'FA_tracing_init' ? { exporter: collector.url } : {}));
    expect(told).toEqual([false, true, false, true, false, true]);
    await unit.call('FA_create_dir', { dir_path: join(root, 'a') });
    await unit.end();
    expect(collector.spans.map(({ attributes }) => attributes['fa.action'])).toEqual([
      'FA_tracing_init',
      'FA_create_dir',
    ]);
  });

  test('without an exporter nothing is sent and nothing is needed', async () => {
    await using unit = await session({ host: hostWith({}) });
    expect(await unit.call('FA_tracing_init')).toBe(true);
    expect(await unit.call('FA_tracing_init')).toBe(false);
    await unit.call('FA_create_dir', { dir_path: join(root, 'a') });
    expect(await unit.call('FA_tracing_shutdown')).toBe(true);
    expect(collector.requests).toEqual([]);
  });

  test.each([
    ['the word otlp', { exporter: 'otlp' }, 'OTEL_EXPORTER_OTLP_ENDPOINT', ''],
    ['the word otlp, a whole address', { exporter: 'otlp' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '/v1/traces'],
    ['nothing said', {}, 'OTEL_EXPORTER_OTLP_ENDPOINT', '/'],
  ])('the environment names the collector: %s', async (_what, params, key, path) => {
    await using unit = await session({
      host: hostWith({ [key]: collector.url + path, OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=se%20cret-1, x-team=ops' }),
    });
    await unit.call('FA_tracing_init', params);
    await unit.call('FA_create_dir', { dir_path: join(root, 'a') });
    await unit.end();
    expect(collector.spans).toHaveLength(1);
    expect(collector.requests).toMatchObject([
      { path: '/v1/traces', headers: { 'x-api-key': 'se cret-1', 'x-team': 'ops' } },
    ]);
    expect(unit.work.run.masker.text('se cret-1')).toBe('***');
  });

  test("an exporter of one's own", async () => {
    const here = join(root, 'project');
    mkdirSync(here);
    writeFileSync(
      join(here, 'exporter.mjs'),
      'import { appendFileSync } from "node:fs";\nexport const make = () => ({ export(spans, done) { for (const span of spans) console.error; globalThis.svcTestSpans = [...(globalThis.svcTestSpans ?? []), ...spans.map((span) => span.attributes["fa.action"])]; done({ code: 0 }); }, async shutdown() { globalThis.svcTestSpans.push("end"); } });\nexport const none = () => ({});\n',
    );
    await using unit = await session({ root: here });
    await unit.call('FA_tracing_init', { exporter: 'exporter.mjs#make' });
    await unit.call('FA_create_dir', { dir_path: join(root, 'a') });
    await unit.end();
    expect((globalThis as { svcTestSpans?: unknown }).svcTestSpans).toEqual(['FA_create_dir', 'end']);
    await using other = await session({ root: here });
    expect((await failureOf(other.call('FA_tracing_init', { exporter: 'exporter.mjs#none' }))).message).toBe(
      'Tracing cannot be switched on: what "exporter.mjs#none" yields has no functions "export" and "shutdown".',
    );
    expect(await other.call('FA_tracing_init', { exporter: collector.url })).toBe(true);
  });

  test('is refused for an environment that names no address', async () => {
    await using unit = await session({ host: hostWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }) });
    expect((await failureOf(unit.call('FA_tracing_init', { exporter: 'otlp' }))).name).toBe('TracingException');
  });
});

describe('a collector that does not work', () => {
  test('refuses: the run says how many spans were lost', async () => {
    await using unit = await session();
    const notices = noticesOf(unit);
    collector.answer = 400;
    await unit.call('FA_tracing_init', { exporter: collector.url });
    await unit.call('FA_create_dir', { dir_path: join(root, 'a') });
    expect(await unit.call('FA_tracing_shutdown')).toBe(true);
    expect(notices).toEqual([expect.stringMatching(/^1 of the spans could not be exported: .*Bad Request/)]);
  });

  test.each(['hang', 'nobody'] as const)('%s: neither shutdown nor run waits longer than it may', async (how) => {
    await using unit = await session();
    const notices = noticesOf(unit);
    collector.answer = 'hang';
    await unit.call('FA_tracing_init', { exporter: how === 'hang' ? collector.url : 'http://127.0.0.1:1' });
    expect((await unit.step('FA_create_dir', { dir_path: join(root, 'a') })).status).toBe('passed');
    const begun = performance.now();
    expect(await unit.call('FA_tracing_shutdown', { timeout: 0.3 })).toBe(true);
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(
      /^Not all spans could be exported within 0\.3 s\.$|^1 of the spans could not be exported: /,
    );
  });
});

test('a package that is missing is named with its version and how to install it', async () => {
  const missing = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }));
  const failed = await failureOf(loadPackages({ ...imports, '@opentelemetry/sdk-trace': missing }));
  expect(failed).toMatchObject({
    name: 'TracingException',
    message:
      'FA_tracing_init needs the package "@opentelemetry/sdk-trace" (3.1.1 was tested), and it is not installed.',
    facts: {
      help: 'npm install @opentelemetry/api@1.10.0 @opentelemetry/exporter-trace-otlp-http@0.301.0 @opentelemetry/resources@3.1.1 @opentelemetry/sdk-trace@3.1.1',
    },
  });
  expect(
    (await failureOf(loadOtlp({ ...imports, '@opentelemetry/exporter-trace-otlp-http': missing }))).facts.code,
  ).toBe('SVC87407');
  const peers = (await import('../../../../package.json', { with: { type: 'json' } })).default
    .peerDependencies as Readonly<Record<string, string>>;
  for (const part of failed.facts.help?.split(' ').slice(2) ?? [])
    expect(peers[part.slice(0, part.lastIndexOf('@'))]).toBe(part.slice(part.lastIndexOf('@') + 1));
});
