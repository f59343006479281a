import type { Ajv as AjvType, ErrorObject, Options } from 'ajv';

import type { Provider, Regex } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { judgeCounted, withCount } from './bounded-work.ts';
import { dialectOf, type Dialect } from './dialect.ts';
import { boundFormats } from './formats.ts';
import { isMultiple } from './multiple-of.ts';
import { needsWhole } from './needs-whole.ts';
import { wrongPattern } from './pattern.ts';
import type { SchemaFinding } from './port.ts';
import { addUniqueItems } from './unique-items.ts';

interface Validator {
  readonly ajv: AjvType;
  readonly validate: ReturnType<AjvType['compile']>;
}

export const provider: Provider<'jsonSchema'> = {
  open: async (context) => {
    const regex = await context.port('regex');
    const judges = new Map<Dialect, Promise<AjvType>>();
    // Reading a schema takes a hundred times as long as a check by it.
    const read = new WeakMap<JsonObject, Validator>();
    const validatorOf = async (schema: JsonObject | boolean, dialect: Dialect, judge: AjvType): Promise<Validator> => {
      const known = typeof schema === 'boolean' ? undefined : read.get(schema);
      if (known) return known;
      if (judge.validateSchema(schema) !== true) throw fail.schemaBroken({ reason: judge.errorsText() });
      // A fresh one for each schema, so that the `$id` of one never answers for another.
      const made = compile(await openAjv(dialect, regex, { meta: false, validateSchema: false }), schema);
      if (typeof schema !== 'boolean') read.set(schema, made);
      return made;
    };
    return {
      check: async (value, schema) => {
        const dialect = dialectOf(schema);
        if (dialect === undefined) throw fail.schemaDialect({ dialect: namedDialect(schema) });
        // A keyword of ajv's own: such a validator answers with a promise, which would count as true.
        if (typeof schema !== 'boolean' && Object.hasOwn(schema, '$async'))
          throw fail.schemaBroken({ reason: '/$async' });
        const opened = judges.get(dialect) ?? openAjv(dialect, regex, {});
        judges.set(dialect, opened);
        const judge = await opened;
        const whole = async (): Promise<readonly SchemaFinding[]> => {
          const { checkWhole } = await import('./whole/check.ts');
          return checkWhole(value, schema as JsonObject, { dialect, ajv: judge, regex });
        };
        if (needsWhole(schema, dialect)) return whole();
        try {
          const { ajv, validate } = await validatorOf(schema, dialect, judge);
          return judgeCounted(ajv, value, () => validate(value)) ? [] : (validate.errors ?? []).map(toFinding);
        } catch (error) {
          // Its code calls itself for each level of a value; what is too deep for that is told by the other one.
          if (error instanceof RangeError && typeof schema !== 'boolean') return whole();
          throw error;
        }
      },
    };
  },
};

function namedDialect(schema: JsonObject | boolean): string {
  const named = typeof schema === 'boolean' ? undefined : schema['$schema'];
  return typeof named === 'string' ? named : String(JSON.stringify(named));
}

async function openAjv(dialect: Dialect, regex: Regex, more: Options): Promise<AjvType> {
  const options: Options = {
    allErrors: true,
    strict: false,
    // 2.01 is a multiple of 0.01, whatever binary fractions say.
    multipleOfPrecision: 9,
    validateFormats: true,
    logger: false,
    code: { regExp: boundedRegExp(regex), process: withCount },
    ...more,
  };
  const { default: addFormats } = await import('ajv-formats');
  const ajv = await openDialect(dialect, options);
  addFormats.default(ajv);
  ajv.addFormat('regex', (text: string) => wrongPattern(text) === undefined);
  // Formats are looked up by the name that a schema gives: `toString` is none.
  Object.setPrototypeOf(ajv.formats, null);
  boundFormats(ajv, regex);
  addUniqueItems(ajv);
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    errors: false,
    error: { message: ({ schema }) => `must be multiple of ${String(schema)}` },
    validate: (step: number, value: number) => isMultiple(value, step),
  });
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
      if (options.meta === false) return ajv;
      const { default: meta } = await import('ajv/dist/refs/json-schema-draft-06.json', { with: { type: 'json' } });
      return ajv.addMetaSchema(meta);
    }
    default:
      return dialect satisfies never;
  }
}

function compile(ajv: AjvType, schema: JsonObject | boolean): Validator {
  try {
    return { ajv, validate: ajv.compile(schema as JsonObject) };
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    if (cause instanceof Error && 'missingRef' in cause && typeof cause.missingRef === 'string')
      throw fail.schemaReference({ reference: cause.missingRef, cause });
    throw fail.schemaBroken({
      reason: cause instanceof Error ? cause.message : String(cause),
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
