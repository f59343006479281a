import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { root } from '../built.ts';
import { svc } from './svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-schemas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const schemas = new Map<string, Record<string, unknown>>();
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

beforeAll(async () => {
  const { exit, stderr } = await svc(folder, ['schema', 'export', '-o', 'schemas']);
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/^\d+ schemas in /)]);
  for (const name of readdirSync(join(folder, 'schemas')))
    schemas.set(
      name.replace('.schema.json', ''),
      JSON.parse(readFileSync(join(folder, 'schemas', name), 'utf8')) as Record<string, unknown>,
    );
});

/** Makes every schema known under its address; they name each other. */
function addSchemas(): void {
  for (const schema of schemas.values()) if (!ajv.getSchema(String(schema['$id']))) ajv.addSchema(schema);
}

describe('svc schema export', () => {
  test('writes every schema, each with an address of its own', () => {
    expect([...schemas.keys()]).toEqual(
      expect.arrayContaining([
        'action-file',
        'config',
        'diagnostic',
        'manifest',
        'mock-config',
        'plan',
        'run-record',
        'run-summary',
      ]),
    );
    expect(new Set([...schemas.values()].map(({ $id }) => $id)).size).toBe(schemas.size);
  });

  test(
    'writes valid JSON Schema 2020-12 that can be compiled, with a title and a description',
    { timeout: 60_000 },
    () => {
      for (const [name, schema] of schemas) {
        expect(schema['$schema'], name).toBe('https://json-schema.org/draft/2020-12/schema');
        expect(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`).toBe(true);
        expect([typeof schema['title'], typeof schema['description']], name).toEqual(['string', 'string']);
      }
      addSchemas();
      for (const [name, { $id }] of schemas) expect(() => ajv.getSchema(String($id)), name).not.toThrow();
    },
  );

  test('prints one alone as it is written', async () => {
    const { stdout } = await svc(folder, ['schema', 'export', '--only', 'plan']);
    expect(stdout).toBe(readFileSync(join(folder, 'schemas/plan.schema.json'), 'utf8'));
  });

  test('offers the nearest name, and asks where to write', async () => {
    expect((await svc(folder, ['schema', 'export', '--only', 'plna'])).stderr).toContain('Did you mean "plan"?');
    expect((await svc(folder, ['schema', 'export'])).exit).toBe(2);
  });

  test('describes the examples, and what svc create makes', { timeout: 60_000 }, async () => {
    await svc(folder, ['create', 'new']);
    addSchemas();
    const config: unknown = parse(readFileSync(join(folder, 'new/svc.config.yaml'), 'utf8'));
    expect(ajv.validate(String(schemas.get('config')?.['$id']), config), ajv.errorsText()).toBe(true);
    const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ya?ml|json)$/.test(name) && !/svc\.config|\.mock\.|data\//.test(name))
      .map((name) => join(root, 'examples', name));
    for (const path of [...examples, join(folder, 'new/first.yaml')]) {
      expect(
        ajv.validate(String(schemas.get('action-file')?.['$id']), parse(readFileSync(path, 'utf8'))),
        `${path}: ${ajv.errorsText(ajv.errors?.slice(0, 3))}`,
      ).toBe(true);
    }
  });
});
