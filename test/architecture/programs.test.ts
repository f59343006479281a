import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Everything that starts a program: the module of Node and the older doors to the same. Text of a program that is
 * written for a user is not ours.
 */
const doors = /\bchild_process\b|\bnode:cluster\b|process\.(?:binding|execve|dlopen)\b/;

/** Files that may: one. `create` writes a text that starts `svc` for whoever runs it. */
const allowed = ['runtime/hosts/node/programs/spawn.ts', 'stdlib/files/reporting/project/starter-files.ts'];

/** Packages that start programs by themselves, and why they may: what they start is chosen by us. */
const libraries: Readonly<Record<string, string>> = {
  'playwright-core': 'starts the browser that `launch.ts` has found; the only call is there',
  esbuild: 'starts its own linker while compiling',
};

const sources = filesOfGit(root, { others: true })
  .filter(
    (file) =>
      file.endsWith('.ts') &&
      /^(?:grammar|compiler|runtime|stdlib|schemas)\//.test(file) &&
      !file.startsWith('schemas/generated/'),
  )
  .map((file) => ({ file, text: read(path.join(root, file)) }));

/** Empty for a file that was removed and is still listed. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The text less its type imports: they start nothing. */
const withoutTypes = (text: string): string => text.replace(/^import type [^;]*;$/gm, '');

describe.skipIf(lacksGit)('programs', () => {
  it('are started in one place', () => {
    expect(sources.length).toBeGreaterThan(300);
    const found = sources.filter(({ text }) => doors.test(withoutTypes(text))).map(({ file }) => file);
    expect(found.toSorted()).toEqual(allowed);
  });

  it('are started by that place without a shell', () => {
    const text = sources.find(({ file }) => file === allowed[0])?.text ?? '';
    expect(text.match(/\.(?:spawn|fork|exec|execFile)\w*\([^;]*;/g)).toEqual([
      '.spawn(file, args, { ...options, shell: false, windowsHide: true });',
      '.fork(module, args, { ...options, execPath: process.execPath });',
    ]);
  });

  it('reach it only through the host, the pool of isolated files and this command line again, confined, aside', () => {
    const users = sources.filter(({ text }) => /\/spawn\.ts'/.test(text)).map(({ file }) => file);
    expect(users.toSorted()).toEqual([
      'compiler/cli/confine.ts',
      'compiler/engine/worker/worker.ts',
      'runtime/hosts/node/programs/guardian.ts',
      'runtime/hosts/node/programs/process-tree.ts',
      'runtime/hosts/node/programs/processes.ts',
    ]);
  });

  it('are started by libraries only where a line says which', () => {
    const launching = sources
      .filter(({ text }) => /\.launch(?:PersistentContext|Server)?\(/.test(text))
      .map(({ file }) => file);
    expect(launching.filter((file) => file.startsWith('stdlib/browser/engines/'))).toEqual([
      'stdlib/browser/engines/playwright/launch.ts',
    ]);
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    for (const name of Object.keys(libraries))
      expect({ ...manifest.dependencies, ...manifest.devDependencies }).toHaveProperty(name);
  });
});
