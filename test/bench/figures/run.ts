import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Figure } from '../figure.ts';
import { floor, svc } from '../paths.ts';

/** A folder in memory, where there is such: the figures are about our own work, not the disk's. */
function inMemory(folder: string): { readonly out: string; clear(): void } {
  const out = join(existsSync('/dev/shm') ? '/dev/shm' : folder, `svc-bench-${process.pid}`);
  return { out, clear: () => rmSync(out, { recursive: true, force: true }) };
}

function actionFile(folder: string, name: string, body: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(body));
  return file;
}

function svcRun(
  folder: string,
  name: string,
  body: unknown,
  status = 0,
): { args: string[]; cwd: string; status: number } {
  const file = actionFile(folder, name, body);
  return {
    args: [svc, 'run', file, '--record', join(folder, `${name}.jsonl`), '--report-dir', join(folder, 'reports')],
    cwd: folder,
    status,
  };
}

const variables = (count: number): unknown => ({
  actions: Array.from({ length: count }, (_, index) => ['AT_set_variable', { name: `v${index}`, value: index }]),
});

export const figures: readonly Figure[] = [
  {
    name: '10,000 AT_set_variable, a record each',
    beside: 'a loop that sets a variable and writes a line',
    aim: 2,
    runs: 5,
    prepare: (folder) => ({
      subject: svcRun(folder, 'variables.json', variables(10_000)),
      floor: { args: [floor('records'), join(folder, 'floor.jsonl'), '10000'] },
    }),
  },
  {
    name: '100,000 rounds of for_each',
    beside: 'the same 100,000 steps written out',
    aim: 1.2,
    memoryAim: 1,
    runs: 3,
    prepare(folder) {
      const loop = {
        actions: [
          { for_each: { from: 0, to: 99_999 }, do: [['AT_set_variable', { name: 'last', value: '{{item}}' }]] },
        ],
      };
      const written = {
        actions: Array.from({ length: 100_000 }, (_, item) => [
          'AT_set_variable',
          { name: 'last', value: item === 0 ? 0 : '{{last}}' },
        ]),
      };
      return { subject: svcRun(folder, 'loop.json', loop), floor: svcRun(folder, 'written.json', written) };
    },
  },
  {
    name: '10,000 FA_create_file, atomic',
    beside: 'a loop that awaits writeFile',
    aim: 2,
    runs: 5,
    prepare(folder) {
      const { out, clear } = inMemory(folder);
      const body = {
        actions: Array.from({ length: 10_000 }, (_, index) => [
          'FA_create_file',
          { file_path: join(out, `${index}.txt`), content: `line ${index}` },
        ]),
      };
      return {
        subject: { ...svcRun(folder, 'files.json', body), before: clear },
        floor: { args: [floor('write-files'), out, '10000'], before: clear },
        close: clear,
      };
    },
  },
  {
    name: '1,000 failing actions',
    beside: '1,000 passing ones',
    aim: 2.5,
    runs: 7,
    prepare(folder) {
      const { out, clear } = inMemory(folder);
      const body = (name: string): unknown =>
        Array.from({ length: 1_000 }, () => ['FA_copy_file', { source: join(out, name), target: join(out, 'copy') }]);
      mkdirSync(out);
      writeFileSync(join(out, 'there'), 'x');
      return {
        subject: svcRun(folder, 'failing.json', body('missing'), 1),
        floor: svcRun(folder, 'passing.json', body('there')),
        close: clear,
      };
    },
  },
  {
    name: '1,000-node DAG',
    beside: 'the same actions in order',
    aim: 1.3,
    runs: 7,
    prepare(folder) {
      const { out, clear } = inMemory(folder);
      const action = (index: number): unknown => [
        'FA_create_file',
        { file_path: join(out, `${index}.txt`), content: 'x' },
      ];
      const nodes = Array.from({ length: 1_000 }, (_, index) => ({
        id: `n${index}`,
        action: action(index),
        ...(index > 0 && { depends_on: [`n${Math.floor((index - 1) / 2)}`] }),
      }));
      const list = Array.from({ length: 1_000 }, (_, index) => action(index));
      return {
        subject: svcRun(folder, 'graph.json', { nodes }),
        floor: svcRun(folder, 'list.json', { actions: list }),
        close: clear,
      };
    },
  },
];
