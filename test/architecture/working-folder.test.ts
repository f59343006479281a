import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Modules that may ask for the process's folder: the doors, and the host that they open. Everybody else goes by
 * `host.cwd`.
 */
const ASKS: Readonly<Record<string, string>> = {
  'compiler/cli/terminal.ts': 'the command line stands there',
  'runtime/hosts/node/host-with.ts': 'a host that is opened at no folder stands there',
};

/** Below hosts that are opened at a folder, paths are absolute when they come here. */
const RESOLVES = new Set(['runtime/hosts/node/write/temporary.ts', 'runtime/hosts/node/write/move-into.ts']);

/** Programs of processes of their own. */
const OWN_PROCESS = new Set(['test/commands/files/jobs/watch-folders.slow.test.ts']);

const ALONE = /(?<![\w.])resolve\((?!\)|[\w.]*cwd\))(?:[^(),]|\([^()]*\))*\)/g;

const sources = filesOfGit(root, { others: true }).filter(
  (file) => file.endsWith('.ts') && !file.includes('/generated/'),
);
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

describe.skipIf(lacksGit)('the working folder', () => {
  it('is asked for by doors and the host alone: a relative path begins where the host was opened', () => {
    const asking = sources
      .filter((file) => /^(?:compiler|grammar|runtime|schemas|stdlib)\//.test(file))
      .filter((file) => /\bprocess\s*\.\s*(?:cwd|chdir)\b/.test(textOf(file)));
    expect(asking.toSorted()).toEqual(Object.keys(ASKS).toSorted());
  });

  it('is no silent beginning of a path that is resolved alone', () => {
    const alone = sources
      .filter((file) => /^(?:compiler\/(?!cli\/|library\/|generate\/)|grammar|runtime|stdlib)\/?/.test(file))
      .filter((file) => /\bresolve\b[^;]*\} from 'node:path'/.test(textOf(file)) && !RESOLVES.has(file))
      .flatMap((file) => [...textOf(file).matchAll(ALONE)].map(([call]) => `${file}: ${call}`));
    expect(alone).toEqual([]);
  });

  it('is never changed by a test: files of one worker run beside each other in one process', () => {
    const changing = sources.filter(
      (file) => file.startsWith('test/') && !OWN_PROCESS.has(file) && /process\.chdir\(/.test(textOf(file)),
    );
    expect(changing.filter((file) => file !== 'test/architecture/working-folder.test.ts')).toEqual([]);
  });
});
