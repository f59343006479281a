import { join } from 'node:path';
import { readFileSync } from 'node:fs';

import { expect } from 'vitest';

import { migrate } from '#compiler/api.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

import { printDiagnostics } from '../phases/print-diagnostics.ts';
import { suite } from '../suite.ts';

async function migrated(path: string, content: string): Promise<{ readonly text: string; readonly said: string }> {
  const { files, diagnostics } = await migrate(
    [{ path: `/work/${path}`, content }],
    { root: '/work' },
    memoryHost({ cwd: '/work' }),
  );
  const [file] = files;
  if (file === undefined) throw new Error('nothing was read');
  // What else is wrong with a file is no matter of migration.
  const told = diagnostics.filter(({ code }) => code.startsWith('SVC2'));
  return { text: applyEdits(file.text, file.edits), said: printDiagnostics({ files, diagnostics: told }) };
}

/** `input.*` becomes `output.*`; a second run changes nothing and says nothing. */
suite('migrations', {
  folder: import.meta.dirname,
  isGolden: (path) => path.startsWith('output.') || path === 'diagnostics.txt',
  run: async ({ files, folder }) => {
    const [path] = files.keys();
    if (path === undefined) throw new Error(`${folder} is empty`);
    const first = await migrated(path, readFileSync(join(folder, path), 'utf8'));
    const second = await migrated(path, first.text);
    expect(second).toEqual({ text: first.text, said: '' });
    return new Map([
      [path.replace('input', 'output'), first.text],
      ['diagnostics.txt', first.said],
    ]);
  },
});
