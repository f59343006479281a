import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { generate } from '#compiler/generate/generate.ts';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('generated files', async () => {
  const { outputs, mistakes } = await generate(root);

  it('come of declarations without mistakes', () => {
    expect(mistakes.found).toEqual([]);
  });

  it('are checked in as they are made (run `npm run generate`)', () => {
    expect(outputs.stale()).toEqual([]);
  });

  it.skipIf(lacksGit)(
    'are in the repository where somebody reads them: types and the list of what is built (else `git rm --cached`)',
    () => {
      const kept = filesOfGit(root).filter((file) => file.startsWith('schemas/generated/'));
      expect(kept.filter((file) => !/\.d\.ts$|\/(?:implemented\.txt|\.gitignore|\.npmignore)$/.test(file))).toEqual([]);
    },
  );
});
