import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { check } from '#compiler/api.ts';
import { Collected } from '#compiler/collected.ts';
import { checkList } from '#compiler/engine/lists/compile-list.ts';
import { problemsOf } from '#compiler/engine/lists/action-problems.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import * as d from '#schemas/generated/diagnostics.ts';

import { root } from '../built.ts';

const host = nodeHost();
const at = { source: 'a.yaml', route: [0], part: 'value' } as const;
/** A half of a million mistakes in a mebibyte. */
const HALF_MILLION = 512 * 1024;

describe('findings with a bound', () => {
  it('keep so many errors of each file and as many others, and count the rest', () => {
    const found = new Collected(2);
    const error = (source: string): void => found.add(d.unknownCommand({ at: { ...at, source }, name: 'x' }));
    const other = (): void => found.add({ ...d.unknownCommand({ at, name: 'x' }), severity: 'warning' });
    for (let count = 0; count < 5; count += 1) other();
    for (let count = 0; count < 4; count += 1) error('a.yaml');
    error('b.yaml');
    expect(found.diagnostics.map(({ severity, primary }) => `${severity} ${primary.source}`)).toEqual([
      'warning a.yaml',
      'warning a.yaml',
      'error a.yaml',
      'error a.yaml',
      'error b.yaml',
    ]);
    expect([found.leftOut, found.count]).toEqual([{ errors: 2, others: 3 }, 10]);
  });

  it('are all kept without one', () => {
    const found = new Collected();
    for (let count = 0; count < 5000; count += 1) found.add(d.unknownCommand({ at, name: 'x' }));
    expect([found.diagnostics.length, found.leftOut]).toEqual([5000, { errors: 0, others: 0 }]);
  });

  it('leave a file with errors broken, and tell the number of all', async () => {
    const content = JSON.stringify(['FA_nothing', 'FA_nothing', 'FA_nothing']);
    const compilation = await check([{ path: '/work/a.json', content }], { root: '/work', mostFindings: 1 }, host);
    expect(compilation.diagnostics).toHaveLength(1);
    expect([compilation.hasErrors, compilation.isBroken('a.json'), compilation.leftOut.errors]).toEqual([
      true,
      true,
      2,
    ]);
    expect(problemsOf(compilation)).toMatchObject({
      lines: [expect.stringContaining('a.json:1:2 SVC40002')],
      count: 3,
    });
  });

  it('are told of a list by their first hundred lines, then by a number', async () => {
    const content = JSON.stringify(Array.from({ length: 3000 }, () => 1));
    const { problems } = await checkList(content, { root: '/work', here: '/work' }, host);
    expect(problems).toHaveLength(101);
    expect([problems[0], problems[99], problems[100]]).toEqual([
      expect.stringMatching(/^\[0\]: SVC10110 /),
      expect.stringMatching(/^\[99\]: SVC10110 /),
      '… 2900 more',
    ]);
  });
});

it('a mebibyte of mistakes is compiled within a heap of 192 MiB', { timeout: 120_000 }, () => {
  const text = `
    import { compileLists } from '#compiler/engine/lists/compile-list.ts';
    import { nodeHost } from '#runtime/hosts/node.ts';
    const given = JSON.stringify(Array.from({ length: ${HALF_MILLION} }, () => 1));
    await compileLists({ given, prefix: 'x', root: '/work', here: '/work' }, nodeHost()).catch((error) => console.log(error.message));
  `;
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--max-old-space-size=192'];
  const { status, stdout } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', text], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout.trim()).toMatch(new RegExp(`^The action list cannot run: \\[0\\]: .* … ${HALF_MILLION - 10} more$`));
});
