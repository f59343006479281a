import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import { schemaExports } from '#schemas/generated/schema-exports.ts';

import { misfits } from './schema-of.ts';

/** Every published format as it was written by each version: what was written stays readable. */
const versions = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe.each(versions)('formats of %s', (version) => {
  const folder = path.join(import.meta.dirname, version);
  const samples = readdirSync(folder).map((file) => [file, path.join(folder, file)] as const);

  it.each(samples)('%s fits the schema of today', (file, sample) => {
    for (const value of valuesOf(sample)) expect(misfits(nameOf(file), value)).toEqual([]);
  });

  it('are all there', () => {
    const sampled = new Set(samples.map(([file]) => nameOf(file)));
    expect(
      schemaExports.map(({ name }) => name).filter((name) => !name.endsWith('-commands') && !sampled.has(name)),
    ).toEqual([]);
  });
});

/** A graph is an action file of its own kind. */
function nameOf(file: string): string {
  const name = path.basename(file, path.extname(file));
  return name === 'graph-file' ? 'action-file' : name;
}

function valuesOf(sample: string): readonly unknown[] {
  const text = readFileSync(sample, 'utf8');
  if (sample.endsWith('.jsonl'))
    return text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  return [sample.endsWith('.json') ? JSON.parse(text) : load(text)];
}
