import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { built } from '../built.ts';
import { makePrograms, projectOf, removeProject } from '../emit/make-programs.ts';
import { runAndKill, type Ended } from '../fixtures/run-and-kill.ts';

const STEPS = 400;
const KILLS = process.env['SVC_TEST_FULL'] ? 100 : 10;

let folder = '';

beforeAll(async () => {
  await built();
  // Two steps that stay inside the process between any two that write.
  const actions = Array.from({ length: STEPS }, (_, index) => [
    ['AT_set_variable', { name: 'n', value: index }],
    ['FA_create_file', { file_path: `out/${index}.txt`, content: 'x' }],
    ['AT_get_variable', { name: 'n' }],
  ]).flat();
  folder = projectOf({ 'input.json': JSON.stringify({ actions }) });
  await makePrograms(folder, ['input.json']);
}, 300_000);

afterAll(() => removeProject(folder));

/**
 * Runs the program, and kills it a few milliseconds after that many of its steps have written: on a machine of any
 * speed.
 */
function runUntil(written: number): Promise<Ended> {
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  rmSync(join(folder, 'record.jsonl'), { force: true });
  const args = ['dist/input.mjs', '--record', 'record.jsonl', '--reporter', 'json=report.json'];
  const file = join(folder, 'out', `${written}.txt`);
  return runAndKill(args, folder, () => existsSync(file), Math.random() * 10);
}

function recordsLeft(): readonly RunRecord[] {
  const text = readFileSync(join(folder, 'record.jsonl'), 'utf8');
  expect(text === '' || text.endsWith('\n'), 'the record ends with a whole line').toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RunRecord);
}

test(`${KILLS} kills at any moment: whole lines, and every step that had an effect`, async () => {
  let atWork = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { signal } = await runUntil(Math.floor(Math.random() * STEPS * 0.8));
    const made = readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.txt') && !name.startsWith('.'));
    const recorded = new Set(recordsLeft().map(({ id }) => id));
    const last = Math.max(...made.map((name) => Number.parseInt(name, 10)));
    if (signal === 'SIGKILL' && last > 0) atWork++;
    const lost = made
      .map((name) => Number.parseInt(name, 10))
      .filter((index) => index < last && !recorded.has(`input.json#${index * 3 + 1}`));
    expect(lost).toEqual([]);
  }
  // The moments were well chosen when most of them hit the work itself.
  expect(atWork).toBeGreaterThan(KILLS / 2);
}, 300_000);
