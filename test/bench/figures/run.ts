import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Figure } from '../figure.ts';
import { floor, svc } from '../paths.ts';

/** Where files live in memory: the figure is about our own work, not the disk's. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : undefined;

function actionFile(folder: string, name: string, body: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(body));
  return file;
}

function svcRun(folder: string, name: string, body: unknown, status = 0): { args: string[]; cwd: string; status: number } {
  const file = actionFile(folder, name, body);
  return { args: [svc, 'run', file, '--record', join(folder, `${name}.jsonl`), '--report-dir', join(folder, 'reports')], cwd: folder, status };
}

const variables = (count: number): unknown => ({ actions: Array.from({ length: count }, (_, index) => ['AT_set_variable', { name: `v${index}`, value: index }]) });

export const figures: readonly Figure[] = [
  {
    name: '10,000 AT_set_variable, a record each',
    beside: 'a loop that sets a variable and writes a line',
    aim: 2,
    runs: 5,
    prepare: (folder) => ({ subject: svcRun(folder, 'variables.json', variables(10_000)), floor: { args: [floor('records'), join(folder, 'floor.jsonl'), '10000'] } }),
  },
  {
    name: '10,000 FA_create_file, atomic',
    beside: 'a loop that awaits writeFile',
    aim: 2,
    runs: 5,
    prepare(folder) {
      const out = join(memory ?? folder, `svc-bench-${process.pid}`);
      const clear = (): void => rmSync(out, { recursive: true, force: true });
      const body = { actions: Array.from({ length: 10_000 }, (_, index) => ['FA_create_file', { file_path: join(out, `${index}.txt`), content: `line ${index}` }]) };
      return { subject: { ...svcRun(folder, 'files.json', body), before: clear }, floor: { args: [floor('write-files'), out, '10000'], before: clear } };
    },
  },
  {
    name: '1,000 failing actions',
    beside: '1,000 passing ones',
    aim: 2.5,
    runs: 7,
    prepare(folder) {
      const body = (name: string): unknown => Array.from({ length: 1_000 }, () => ['FA_copy_file', { source: join(folder, name), target: join(folder, 'copy') }]);
      writeFileSync(join(folder, 'there'), 'x');
      return { subject: svcRun(folder, 'failing.json', body('missing'), 1), floor: svcRun(folder, 'passing.json', body('there')) };
    },
  },
  {
    name: '1,000-node DAG',
    beside: 'the same actions in order',
    aim: 1.3,
    runs: 7,
    prepare(folder) {
      const action = (index: number): unknown => ['FA_create_file', { file_path: join(folder, `${index}.txt`), content: 'x' }];
      const nodes = Array.from({ length: 1_000 }, (_, index) => ({ id: `n${index}`, action: action(index), ...(index > 0 && { depends_on: [`n${Math.floor((index - 1) / 2)}`] }) }));
      const list = Array.from({ length: 1_000 }, (_, index) => action(index));
      return { subject: svcRun(folder, 'graph.json', { nodes }), floor: svcRun(folder, 'list.json', { actions: list }) };
    },
  },
];
