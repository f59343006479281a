import path from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { build } from 'esbuild';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { sample } from './sample.ts';

const root = path.resolve(import.meta.dirname, '../..');
await catalogue.prepare(catalogue.allNames);
const commands = (await catalogue.all()).filter(({ params }) => params.length > 0);
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });

describe('standalone validators', () => {
  it('find exactly what ajv finds, whatever stands for a parameter', () => {
    const oracles = new Map(commands.map((command) => [command.name, ajv.compile(wholeSchema(command))]));
    fc.assert(
      fc.property(
        fc.constantFrom(...commands.map(({ name }) => name)),
        fc.nat(),
        fc.jsonValue({ maxDepth: 2 }),
        (name, at, value) => {
          const command = catalogue.get(name);
          if (!command) throw new Error('no command');
          const changed: JsonObject = {
            ...Object.fromEntries(command.params.map((one) => [one.name, sample(one)])),
            [command.params[at % command.params.length]?.name ?? '']: value as Json,
          };
          const oracle = oracles.get(command.name);
          if (!oracle) throw new Error('no oracle');
          const expected = oracle(changed)
            ? []
            : (oracle.errors ?? []).map(({ message: _, schemaPath: __, ...finding }) => finding);
          const found = (catalogue.validator(command.name)?.(changed) ?? []).filter(
            ({ keyword }) => keyword !== 'format',
          );
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 3000, seed: 7 },
    );
  });

  it('keep nothing of one call for the next', () => {
    const validate = catalogue.validator('WR_add_cookie');
    const findings = validate?.({});
    expect(validate?.({ cookie_dict: { name: 'a', value: 'b' } })).toEqual([]);
    expect(findings).toHaveLength(1);
  });

  it('are bundled one by one', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export { WR_delete_cookie } from './schemas/generated/validators/browser/cookies.js';",
        resolveDir: root,
      },
      bundle: true,
      write: false,
      format: 'esm',
      minify: true,
    });
    const text = outputFiles[0]?.text ?? '';
    expect(text).toContain('minLength');
    expect(text).not.toContain('cookie_dict');
    expect(text.length).toBeLessThan(1200);
  });
});

function wholeSchema({ params }: CommandInfo): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: params.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      params.map(({ name, schema, list }) => [name, list === 'run' || list === 'background' ? {} : schema]),
    ),
  };
}
