import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import { schemaExports } from '#schemas/generated/schema-exports.ts';

import { isActionFile } from '../generate/action-file-validator.ts';

const root = path.resolve(import.meta.dirname, '../..');
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

/** Every published format as it was written by each version: what was written stays readable. */
const versions = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);

describe.each(versions)('formats of %s', (version) => {
  const folder = path.join(import.meta.dirname, version);
  const samples = readdirSync(folder).map((file) => [file, path.join(folder, file)] as const);

  it.each(samples)('%s fits the schema of today', (file, sample) => {
    const validate = nameOf(file) === 'action-file' ? isActionFile : (ajv.getSchema(idOf(file)) ?? ajv.compile(schemaOf(file)));
    for (const value of valuesOf(sample)) expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
  });

  it('are all there', () => {
    const sampled = new Set(samples.map(([file]) => nameOf(file)));
    expect(schemaExports.map(({ name }) => name).filter((name) => !name.endsWith('-commands') && !sampled.has(name))).toEqual([]);
  });
});

/** A graph is an action file of its own kind. */
function nameOf(file: string): string {
  const name = path.basename(file, path.extname(file));
  return name === 'graph-file' ? 'action-file' : name;
}

function idOf(file: string): string {
  return `https://svc.invalid/schemas/${nameOf(file)}.schema.json`;
}

function schemaOf(file: string): object {
  const found = schemaExports.find(({ name }) => name === nameOf(file));
  if (!found) throw new Error(`no schema is exported for ${file}`);
  return JSON.parse(readFileSync(path.join(root, found.file), 'utf8')) as object;
}

function valuesOf(sample: string): readonly unknown[] {
  const text = readFileSync(sample, 'utf8');
  if (sample.endsWith('.jsonl')) return text.trimEnd().split('\n').map((line): unknown => JSON.parse(line));
  return [sample.endsWith('.json') ? JSON.parse(text) : load(text)];
}
