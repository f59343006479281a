import { openSync, writeSync } from 'node:fs';

const [, , file, count] = process.argv;
const out = openSync(file, 'w');
const variables = new Map();
for (let index = 0; index < Number(count); index += 1) {
  const started = performance.now();
  variables.set(`v${index}`, index);
  writeSync(out, `${JSON.stringify({ v: 1, id: `a.yaml#${index}`, command: 'AT_set_variable', file: 'a.yaml', line: index, column: 5, status: 'passed', started_at: new Date().toISOString(), duration_ms: performance.now() - started, attempts: 1, result: null })}\n`);
}
