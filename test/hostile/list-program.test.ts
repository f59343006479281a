import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { built } from '../built.ts';
import { svc } from '../cli/svc.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-list-')));
const source =
  'meta: { name: Shop, tags: [slow] }\nactions:\n  - [AT_set_variable, { name: a, value: "it is } { \\\\ \\" 1" }]\n  - [AT_set_variable, { name: b, value: 1 }]\n';
const trap = `import { writeFileSync as __trap } from 'node:fs'; __trap(${JSON.stringify(join(folder, 'executed'))}, '');\n`;
beforeAll(async () => {
  await built();
  writeFileSync(join(folder, 'a.yaml'), source);
  expect((await svc(folder, ['compile', 'a.yaml', '-o', '.'])).exit).toBe(0);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('svc run --list of a program', () => {
  test('shows what the plan in it says', async () => {
    expect(await svc(folder, ['run', '--list', 'a.mjs'])).toEqual({
      stdout: 'a.yaml  Shop  2 steps\n',
      stderr: '',
      exit: 0,
    });
    expect((await svc(folder, ['run', '--list', 'a.mjs', '--tag', 'slow'])).stdout).toBe('a.yaml  Shop  2 steps\n');
  });

  test('executes nothing of it', async () => {
    writeFileSync(join(folder, 'trap.mjs'), `${readFileSync(join(folder, 'a.mjs'), 'utf8')}\n${trap}`);
    expect((await svc(folder, ['run', '--list', 'trap.mjs'])).stdout).toBe('a.yaml  Shop  2 steps\n');
    expect(existsSync(join(folder, 'executed'))).toBe(false);
  });

  test.each([
    ['names the plan only in a comment', `// __svc_plan\n${trap}`],
    ['has another plan than its hash says', 'changed'],
    ['has a plan that is no JSON', 'broken'],
    ['has a plan of another shape', 'shape'],
  ])('is wrong use where the program %s', async (_, text) => {
    const program = readFileSync(join(folder, 'a.mjs'), 'utf8');
    const changed: Readonly<Record<string, string>> = {
      changed: program.replace('AT_set_variable', 'AT_set_variables'),
      broken: program.replace("const __svc_text = '", "const __svc_text = 'x"),
      shape: program.replace(
        /^const __svc_text = .*$/m,
        "const __svc_text = '[]', __svc_plan = JSON.parse(__svc_text);",
      ),
    };
    writeFileSync(join(folder, 'other.mjs'), changed[text] ?? text);
    const { exit, stderr } = await svc(folder, ['run', '--list', 'other.mjs']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('other.mjs')]);
    expect(existsSync(join(folder, 'executed'))).toBe(false);
  });
});
