import type { RunEvent, StepView } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

const run = '4b1d0000000040008000000000000001';

export function view(index: number, over: Partial<StepView> = {}): StepView {
  return {
    id: `shop/order.yaml#${index}`,
    command: 'AT_test_api_method',
    part: 'body',
    source: 'shop/order.yaml',
    place: {
      file: 'shop/order.yaml',
      line: index + 3,
      column: 5,
      text: '  - AT_test_api_method: { http_method: get, test_url: "{{shop}}/orders" }',
    },
    ...over,
  };
}

export function record(step: StepView, over: Partial<RunRecord> = {}): RunRecord {
  return {
    v: 1,
    run,
    plan: 'ab'.repeat(32),
    id: step.id,
    command: step.command,
    file: step.place?.file ?? '',
    line: step.place?.line ?? 0,
    column: step.place?.column ?? 0,
    status: 'passed',
    started_at: '2026-01-02T03:04:05.006Z',
    duration_ms: 12,
    attempts: 1,
    ...over,
  };
}

const failure = {
  name: 'status-unexpected',
  message: 'GET http://127.0.0.1/orders answered <404> & "no"; 200 was expected.',
  class: 'real',
  code: 'SVC83001',
  help: 'the list begins at /orders/1',
  expected: 200,
  actual: 404,
  cause: { name: 'Error', message: 'socket, half: open 100%', class: 'transient' },
} as const;

/** One file with every kind of step: passed, named, flaky, failed with evidence, skipped, in a dataset row. */
export function sampleRun(): readonly RunEvent[] {
  const steps = [
    view(0),
    view(1, { name: 'place an order' }),
    view(2),
    view(3, { name: 'pay' }),
    view(4),
    view(5, { row: 2 }),
  ] as const;
  const counts = { passed: 4, flaky: 1, failed: 1, skipped: 1, dry_run: 0 };
  const outcome = {
    run,
    status: 'failed',
    counts,
    duration_ms: 2_140,
    files: [{ file: 'shop/order.yaml', status: 'failed', counts, duration_ms: 2_100 }],
  } as const;
  const evidence = {
    kind: 'http',
    elapsed_ms: 31,
    request: { method: 'GET', url: 'http://127.0.0.1/orders', headers: { accept: '*/*' } },
    response: { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not & found</h1>' },
  } as const;
  const picture = {
    kind: 'picture',
    name: 'at failure',
    mediaType: 'image/png',
    bytes: new Uint8Array([137, 80, 78, 71]),
  } as const;
  return [
    {
      kind: 'run-started',
      run,
      started_at: '2026-01-02T03:04:05.006Z',
      dry_run: false,
      units: [{ source: 'shop/order.yaml', name: 'Orders', steps: 6, on_failure: 'continue' }],
    },
    { kind: 'unit-started', source: 'shop/order.yaml' },
    { kind: 'step-started', step: steps[0] },
    { kind: 'step-finished', step: steps[0], record: record(steps[0], { result: { ok: true } }), evidence: [] },
    { kind: 'step-finished', step: steps[1], record: record(steps[1]), evidence: [evidence] },
    { kind: 'attempt-failed', step: steps[2], attempt: 1, error: failure, wait_ms: 100 },
    { kind: 'step-finished', step: steps[2], record: record(steps[2], { flaky: true, attempts: 2 }), evidence: [] },
    {
      kind: 'step-finished',
      step: steps[3],
      record: record(steps[3], { status: 'failed', error: failure }),
      evidence: [evidence, picture],
    },
    {
      kind: 'step-finished',
      step: steps[4],
      record: record(steps[4], { status: 'skipped', reason: 'needs #3' }),
      evidence: [],
    },
    { kind: 'step-finished', step: steps[5], record: record(steps[5], { row: 2 }), evidence: [] },
    { kind: 'notice', level: 'warning', text: 'a port stayed open' },
    { kind: 'unit-finished', source: 'shop/order.yaml', status: 'failed', counts, duration_ms: 2_100 },
    { kind: 'run-finished', outcome },
  ];
}
