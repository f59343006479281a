import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';

import { servedCommands } from '#compiler/engine/callers/action-calls.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import { AccessList } from '#runtime/servers/access-list.ts';
import type { ServedCommand } from '#runtime/servers/action-calls.ts';
import { openapiSchema } from '#runtime/servers/http/openapi-schema.ts';
import { openapiOf } from '#runtime/servers/http/openapi.ts';
import type { JsonObject } from '#schemas/types/json.ts';

let commands: readonly ServedCommand[];
let document: JsonObject;
beforeAll(async () => {
  commands = await servedCommands();
  document = openapiOf(commands, new AccessList({ allowed: null, denied: [] }, new Set()));
});

describe('/openapi.json', () => {
  it('is a document of OpenAPI 3.0 for others, with a schema for every command', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect([valid, errors]).toEqual([true, undefined]);
    expect(validator.version).toBe('3.0');
    const { schemas } = document['components'] as { schemas: JsonObject };
    expect(commands.filter(({ name }) => !Object.hasOwn(schemas, name))).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('x-json-schema');
  });

  it('is read by the commands that read such documents', () => {
    expect(operationsOf(document).map(({ method, path }) => `${method} ${path}`.toLowerCase())).toEqual(
      expect.arrayContaining(['post /actions', 'get /healthz', 'get /readyz', 'get /openapi.json', 'get /progress']),
    );
  });
});

describe('a schema of a command in OpenAPI 3.0', () => {
  it.each([
    [
      { type: ['string', 'null'], minLength: 1 },
      { type: 'string', minLength: 1, nullable: true },
    ],
    [
      { type: ['string', 'array'], minLength: 1, minItems: 2, description: 'x' },
      {
        description: 'x',
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'array', items: {}, minItems: 2 },
        ],
      },
    ],
    [{ const: 3 }, { enum: [3] }],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, maxItems: 2 },
    ],
    [
      { type: 'object', additionalProperties: false, required: [] },
      { type: 'object', additionalProperties: false },
    ],
    [true, {}],
    [false, { not: {} }],
    [{ type: 'null' }, { type: 'string', enum: [null], nullable: true }],
    [
      { type: 'array', examples: [[1]] },
      { type: 'array', items: {}, example: [1] },
    ],
  ])('of %j', (schema, expected) => {
    expect(openapiSchema(schema)).toEqual(expected);
  });

  it('lets through what every default of a parameter is', () => {
    // OpenAPI 3.0 has words of its own for null and for open bounds: ajv is told of the first, and no default is at the second.
    const isClosed = (key: string, value: unknown): unknown => (key.startsWith('exclusive') ? undefined : value);
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const wrong = commands.flatMap(({ name, parameters }) =>
      Object.entries(parameters['properties'] as Record<string, JsonObject>).flatMap(([parameter, schema]) => {
        if (schema['default'] === undefined) return [];
        const given = JSON.parse(JSON.stringify(openapiSchema(schema), isClosed)) as JsonObject;
        return ajv.validate(given, schema['default']) ? [] : [`${name} ${parameter}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
