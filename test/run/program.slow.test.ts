import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { built } from '../built.ts';

import { inCopy, runProgram } from './run-case.ts';

const here = import.meta.dirname;
const cases = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

beforeAll(async () => void (await built()), 300_000);

/** Compiled programs and `svc run` give equal records. */
describe('a compiled program', () => {
  test.each(cases)('%s', async (name) => {
    const { exit, records } = await inCopy(join(here, name), runProgram);
    expect(records).toEqual(JSON.parse(await readFile(join(here, name, 'record.json'), 'utf8')));
    expect(exit).toBe(Number(await readFile(join(here, name, 'exit'), 'utf8')));
  });
});
