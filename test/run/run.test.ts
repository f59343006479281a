import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { requireProgram } from '../fixtures/programs.ts';
import { cases } from './cases.ts';
import { inCopy, printed, runPlan } from './run-case.ts';

const here = import.meta.dirname;
/** Cases that start a program. */
const programs: ReadonlyMap<string, Parameters<typeof requireProgram>[0]> = new Map([['control-options', 'sleep']]);

describe('a plan that is run', () => {
  test.each(cases)('%s', async (name) => {
    const program = programs.get(name);
    if (program) requireProgram(program);
    const folder = join(here, name);
    const { exit, records, diagnostics } = await inCopy(folder, runPlan);
    expect(
      diagnostics.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`),
    ).toEqual([]);
    if (process.env['UPDATE']) {
      await writeFile(join(folder, 'record.json'), printed(records));
      await writeFile(join(folder, 'exit'), `${exit}\n`);
    }
    expect(records).toEqual(JSON.parse(await readFile(join(folder, 'record.json'), 'utf8')));
    expect(exit).toBe(Number(await readFile(join(folder, 'exit'), 'utf8')));
  });
});
