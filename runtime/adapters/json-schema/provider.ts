import type { Ajv as AjvType, ErrorObject, Options, ValidateFunction } from 'ajv';

import type { Provider, Regex } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { SchemaFinding } from './port.ts';

type Dialect = 'draft-06' | 'draft-07' | '2019-09' | '2020-12';

const dialects: Readonly<Record<string, Dialect>> = {
  'http://json-schema.org/draft-06/schema': 'draft-06',
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};

export const provider: Provider<'jsonSchema'> = {
  open: async (context) => {
    const regex = await context.port('regex');
    return {
      check: async (value, schema) => {
        const validate = compile(await openAjv(dialectOf(schema), regex), schema);
        return validate(value) ? [] : (validate.errors ?? []).map(toFinding);
      },
    };
  },
};

function dialectOf(schema: JsonObject | boolean): Dialect {
  const named = typeof schema === 'boolean' ? undefined : schema['$schema'];
  if (named === undefined) return '2020-12';
  const name = typeof named === 'string' ? named.replace(/#$/, '') : '';
  const dialect = Object.hasOwn(dialects, name) ? dialects[name] : undefined;
  if (dialect === undefined)
    throw fail.schemaDialect({ dialect: typeof named === 'string' ? named : JSON.stringify(named) });
  return dialect;
}

/** A fresh one for each check, so that the `$id` of one schema never answers for another. */
async function openAjv(dialect: Dialect, regex: Regex): Promise<AjvType> {
  const options: Options = {
    allErrors: true,
    strict: false,
    // 2.01 is a multiple of 0.01, whatever binary fractions say.
    multipleOfPrecision: 9,
    validateFormats: true,
    logger: false,
    code: { regExp: boundedRegExp(regex) },
  };
  const { default: addFormats } = await import('ajv-formats');
  const ajv = await openDialect(dialect, options);
  addFormats.default(ajv);
  return ajv;
}

async function openDialect(dialect: Dialect, options: Options): Promise<AjvType> {
  switch (dialect) {
    case '2020-12':
      return new (await import('ajv/dist/2020.js')).default.Ajv2020(options);
    case '2019-09':
      return new (await import('ajv/dist/2019.js')).default.Ajv2019(options);
    case 'draft-07':
      return new (await import('ajv')).default.Ajv(options);
    case 'draft-06': {
      const ajv = new (await import('ajv')).default.Ajv(options);
      const { default: meta } = await import('ajv/dist/refs/json-schema-draft-06.json', { with: { type: 'json' } });
      return ajv.addMetaSchema(meta);
    }
    default:
      return dialect satisfies never;
  }
}

function compile(ajv: AjvType, schema: JsonObject | boolean): ValidateFunction {
  // A keyword of ajv's own: such a validator answers with a promise, which would count as true.
  if (typeof schema !== 'boolean' && Object.hasOwn(schema, '$async')) throw fail.schemaBroken({ reason: '/$async' });
  try {
    return ajv.compile(schema as JsonObject);
  } catch (cause) {
    if (cause instanceof Error && 'missingRef' in cause && typeof cause.missingRef === 'string')
      throw fail.schemaReference({ reference: cause.missingRef, cause });
    throw fail.schemaBroken({
      reason: cause instanceof Error ? cause.message.replace(/^schema is invalid: /, '') : String(cause),
      cause,
    });
  }
}

/** Patterns run under the kernel's time limit. */
function boundedRegExp(regex: Regex): NonNullable<NonNullable<Options['code']>['regExp']> {
  const make = (pattern: string, flags: string): { test(text: string): boolean; toString(): string } => {
    // Refused here, when the schema is compiled, not at the first value. Its text is how ajv tells patterns apart.
    const text = String(new RegExp(pattern, flags));
    return { test: (value) => regex.match(pattern, flags, value) !== null, toString: () => text };
  };
  return Object.assign(make, { code: 'new RegExp' });
}

function toFinding({ instancePath, schemaPath, message, params, keyword }: ErrorObject): SchemaFinding {
  const extra = {
    additionalProperties: 'additionalProperty',
    unevaluatedProperties: 'unevaluatedProperty',
    propertyNames: 'propertyName',
    enum: 'allowedValues',
    const: 'allowedValue',
  }[keyword];
  const shown = extra === undefined ? '' : `: ${JSON.stringify((params as Readonly<Record<string, Json>>)[extra])}`;
  return { at: instancePath, rule: schemaPath, message: `${message ?? keyword}${shown}` };
}
