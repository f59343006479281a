import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { generate } from '#compiler/generate/generate.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('generated files', async () => {
  const { outputs, mistakes } = await generate(root);

  it('come of declarations without mistakes', () => {
    expect(mistakes.found).toEqual([]);
  });

  it('are checked in as they are made (run `npm run generate`)', () => {
    expect(outputs.stale()).toEqual([]);
  });
});
