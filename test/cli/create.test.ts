import { expect, test } from 'vitest';

import { files } from '#compiler/cli/create/files.ts';

import { lintNamed } from '../rules/lint-case.ts';

test('the file that `svc create` writes passes all rules', async () => {
  const named = new Map(Object.entries(files));
  const { compilation, diagnostics } = await lintNamed(['first.yaml'], named, { preset: 'strict' });
  expect(compilation.hasErrors).toBe(false);
  expect(diagnostics.map(({ slug, message }) => `${slug}: ${message}`)).toEqual([]);
});
