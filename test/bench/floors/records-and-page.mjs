// 20 times 10,000 records of a run: as lines of JSON in a file, or, where asked, as the page of the HTML reporter.
import { writeFileSync } from 'node:fs';

const [, , form, file] = process.argv;
const run = '4b1d0000000040008000000000000001';
const start = Date.parse('2026-01-02T03:04:05.006Z');
const failure = {
  name: 'status-unexpected',
  message: 'GET http://127.0.0.1/orders answered 404; 200 was expected.',
  class: 'real',
  code: 'SVC83001',
  expected: 200,
  actual: 404,
};
const records = Array.from({ length: 10_000 }, (_, index) => ({
  v: 1,
  run,
  plan: 'ab'.repeat(32),
  id: `shop/order.yaml#${index}`,
  command: 'WR_click_element',
  file: 'shop/order.yaml',
  line: index + 3,
  column: 5,
  status: index % 500 === 499 ? 'failed' : 'passed',
  started_at: new Date(start + index * 12).toISOString(),
  duration_ms: 12.345 + (index % 7),
  attempts: 1,
  result: { id: index, name: `order ${index}`, state: 'paid', lines: [{ sku: 'a-1', count: 2, price: 9.5 }] },
  ...(index % 500 === 499 && { error: failure }),
}));

function lines() {
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

const counts = { passed: 9980, flaky: 0, failed: 20, skipped: 0, dry_run: 0 };
const source = 'shop/order.yaml';
const files = [{ file: source, status: 'failed', counts, duration_ms: 120_000 }];
const steps = records.map(({ id, command, line }) => ({
  ...{ id, command, source, part: 'body' },
  place: { file: source, line, column: 5, text: `  - WR_click_element: { test_object_name: "order-${line}" }` },
}));

function page(html) {
  const write = (text) => writeFileSync(file, text);
  const { event } = html({ write, colour: false, live: false, columns: 80 });
  const units = [{ source, name: 'Orders', steps: steps.length, on_failure: 'continue' }];
  event({ kind: 'run-started', run, started_at: records[0].started_at, dry_run: false, units });
  for (const [index, step] of steps.entries())
    event({ kind: 'step-finished', step, record: records[index], evidence: [] });
  event({ kind: 'run-finished', outcome: { run, status: 'failed', counts, duration_ms: 120_000, files } });
}

const reporter = new URL('../../../dist/lib/runtime/reporters/html/html.js', import.meta.url);
const html = form === 'page' ? (await import(reporter)).html : undefined;
for (let turn = 0; turn < 20; turn += 1) html ? page(html) : lines();
