import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { svc } from '../cli/svc.ts';
import { processorTime } from './check-text.ts';

let root = '';
beforeEach(() => void (root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A name on which patterns that may match in many ways try all of them. */
const name = `${'a'.repeat(80)}.yaml`;

async function linted(patterns: readonly string[]): Promise<{ readonly exit: number; readonly stderr: string }> {
  writeFileSync(join(root, 'svc.config.json'), JSON.stringify({ lint: { ignore: patterns } }));
  mkdirSync(join(root, 'tests'), { recursive: true });
  writeFileSync(join(root, 'tests', name), '- AT_fake_uuid\n');
  return await svc(root, ['lint', `tests/${name}`]);
}

describe('patterns of files that are not linted', () => {
  it.each([
    ['stars', `tests/${'*a'.repeat(30)}!`],
    ['groups in groups', `tests/${'+('.repeat(10)}a${')'.repeat(10)}!`],
    ['choices that are alike', 'tests/+(a|aa|aaa)!'],
    ['braces', `tests/${'{a,aa}'.repeat(40)}!`],
  ])('end in time, whatever they are made of: %s', async (_, pattern) => {
    const time = await processorTime(async () => {
      const { exit, stderr } = await linted([pattern]);
      if (exit !== 0) expect(stderr).toMatch(/`lint\.ignore` does not fit/);
    });
    expect(time).toBeLessThan(10_000);
  });

  it('are neither longer nor more than their limits', async () => {
    expect((await linted(['a'.repeat(1001)])).exit).toBe(2);
    expect((await linted(Array.from({ length: 1001 }, () => 'a'))).exit).toBe(2);
  });

  it('leave out what they name', async () => {
    expect((await linted(['tests/**', '!(x)/y'])).exit).toBe(0);
  });
});
