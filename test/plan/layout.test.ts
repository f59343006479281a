import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { format, plan } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync(['examples/**/*.yaml', 'test/{plan,rules,emit}/**/*.{yaml,json}', 'test/run/*/input.*'], {
  cwd: root,
});
const catalogue = openCatalogue();

it('the layout of a file changes nothing in its plan', async () => {
  let same = 0;
  for (const file of files.toSorted()) {
    const text = readFileSync(join(root, file), 'utf8');
    const path = `/work/a${file.slice(file.lastIndexOf('.'))}`;
    const host = memoryHost({ cwd: '/work' });
    const options = { root: '/work', catalogue };
    const { files: formatted } = await format([{ path, content: text }], options, host);
    const [{ formatted: laidOut } = {}] = formatted;
    const before = await plan([{ path, content: text }], options, host);
    if (laidOut === undefined || before.hasErrors) continue;
    const after = await plan([{ path, content: laidOut }], options, host);
    expect(after.seal().text, file).toBe(before.seal().text);
    same += 1;
  }
  expect(same).toBeGreaterThan(100);
});
