import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

import { allRules } from '#schemas/generated/all-rules.ts';
import { schemaExports } from '#schemas/generated/schema-exports.ts';

const root = path.resolve(import.meta.dirname, '../..');
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
});
formats.default(ajv);
const read = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, unknown>;

describe('exported schemas', () => {
  it('are all contracts, with a schema a prefix', () => {
    const contracts = readdirSync(path.join(root, 'schemas/contracts'))
      .filter((name) => name.endsWith('.schema.json'))
      .map((name) => name.slice(0, -'.schema.json'.length));
    expect(schemaExports.map(({ name }) => name).toSorted()).toEqual(
      [...contracts, 'at-commands', 'fa-commands', 'wr-commands'].toSorted(),
    );
  });

  it.each(schemaExports.map(({ name, file }) => [name, file] as const))(
    '%s is JSON Schema 2020-12 with a name and words',
    (name, file) => {
      const schema = read(file);
      expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
      expect(schema['$id']).toBe(`https://svc.invalid/schemas/${name}.schema.json`);
      expect(schema['title']).toBeTruthy();
      expect(schema['description']).toBeTruthy();
      const text = JSON.stringify(schema);
      const definitions = Object.keys(schema['$defs'] ?? {});
      for (const [, target = ''] of text.matchAll(/"\$ref":"#\/\$defs\/([^"/]+)/g))
        expect(definitions).toContain(target);
      expect(text).not.toMatch(/"description":""/);
    },
  );

  it.each(schemaExports.filter(({ name }) => name !== 'action-file').map(({ file }) => file))(
    '%s compiles without an unknown keyword',
    (file) => {
      expect(() => ajv.compile(read(file))).not.toThrow();
    },
  );
});

describe('rules', () => {
  it('say of themselves what the meta schema asks', () => {
    const validate = ajv.compile(read('schemas/meta/rule.schema.json'));
    for (const rule of allRules) {
      const data: unknown = JSON.parse(
        JSON.stringify(rule, (_, value: unknown) => (value instanceof RegExp ? undefined : value)),
      );
      expect(validate(data), `${JSON.stringify(data)}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });
});

describe('schemas of declarations', () => {
  it('close every shape', () => {
    for (const name of readdirSync(path.join(root, 'schemas/meta')).filter((file) => file.endsWith('.json'))) {
      const open = shapes(read(`schemas/meta/${name}`)).filter((shape) => shape['additionalProperties'] === undefined);
      expect(open, name).toEqual([]);
    }
  });
});

/** Every object schema with properties, except mere additions to another. */
function shapes(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const record = value as Record<string, unknown>;
  const own = record['type'] === 'object' && record['properties'] !== undefined ? [record] : [];
  return [...own, ...Object.values(record).flatMap(shapes)];
}
