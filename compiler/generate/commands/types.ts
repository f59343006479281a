import { compile } from 'json-schema-to-typescript';

import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import type { Cache } from '../cache.ts';

import type { Declaration, Family } from './declaration.ts';
import { isBlock, parametersSchema } from './parameter-schemas.ts';
import { readonlyArrays } from './readonly-arrays.ts';

const VERSION = '6';

/** The `.d.ts` of a family: an interface with parameters and result of each command. */
export async function familyTypes(family: Family, cache: Cache): Promise<string> {
  const schema = familySchema(family);
  const text = await cache.get(`types-${VERSION}`, JSON.stringify(schema), async () => {
    const made = await compile(schema, 'Commands', {
      format: false,
      bannerComment: '',
      declareExternallyReferenced: false,
    });
    return indent(tidy(readonlyArrays(made)));
  });
  const block = text.includes('Block') ? "import type { Block } from '#runtime/kernel/ports.ts';\n\n" : '';
  // Outside of what is kept: a family that was moved has the same commands in another file.
  return `// Generated from ${family.file} by \`npm run generate\`. Do not edit.\n${block}// oxfmt-ignore\n${text}\n`;
}

function familySchema(family: Family): JsonObject {
  const closed = (properties: JsonObject): JsonObject => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  return closed(
    Object.fromEntries(
      family.commands.map((declaration) => [
        declaration.name,
        {
          ...closed({ params: paramsType(declaration), result: resultType(declaration) }),
          description: declaration.summary,
        },
      ]),
    ),
  );
}

function paramsType(declaration: Declaration): JsonObject {
  const schema = parametersSchema(declaration, (parameter) => (isBlock(parameter) ? { tsType: 'Block' } : undefined));
  const defaulted = Object.entries(declaration.params)
    .filter(([, parameter]) => parameter.schema['default'] !== undefined && !isBlock(parameter))
    .map(([name]) => name);
  const described = Object.entries(schema['properties'] as JsonObject).map(
    ([name, value]) =>
      [name, { ...(forTypes(value) as JsonObject), description: declaration.params[name]?.about ?? '' }] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(described),
    required: [...(declaration.required ?? []), ...defaulted],
    additionalProperties: false,
  };
}

/** A function without anything to yield may return nothing. */
function resultType(declaration: Declaration): Json {
  return declaration.returns['type'] === 'null' ? { tsType: 'null | undefined | void' } : forTypes(declaration.returns);
}

/** The schema as the type writer reads it: in the words of its draft, without keywords that types need not say. */
function forTypes(value: Json): Json {
  if (!isObject(value)) return value;
  const { default: _default, examples: _examples, format: _format, ...schema } = value;
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(schema)) {
    if (key === 'properties')
      result[key] = Object.fromEntries(
        Object.entries(item as JsonObject).map(([name, property]) => [name, forTypes(property)]),
      );
    else if (key === 'anyOf' || key === 'oneOf') result[key] = (item as readonly Json[]).map(forTypes);
    else if (key === 'items' || key === 'additionalProperties') result[key] = forTypes(item);
    else if (!['prefixItems', 'minItems', 'maxItems', 'propertyNames'].includes(key)) result[key] = item;
  }
  if (schema['prefixItems'] !== undefined) tuple(schema, result);
  if (schema['additionalProperties'] === undefined && takesObjects(schema))
    result['additionalProperties'] = schema['properties'] === undefined;
  return isOpen(result) ? { ...result, tsType: 'unknown' } : result;
}

/** Whether a schema says nothing about the value, so that it may be anything. */
function isOpen(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => key === 'title' || key === 'description' || key === 'readOnly');
}

function takesObjects(schema: JsonObject): boolean {
  const { type } = schema;
  return type === 'object' || (Array.isArray(type) && (type as readonly Json[]).includes('object'));
}

/** Fixed places become a tuple where their number is fixed too, else a list of whatever stands at any place. */
function tuple(schema: JsonObject, result: Record<string, Json>): void {
  const places = (schema['prefixItems'] as readonly Json[]).map(forTypes);
  if (schema['minItems'] === places.length && schema['maxItems'] === places.length) {
    Object.assign(result, { items: places, minItems: places.length, maxItems: places.length });
  } else {
    result['items'] = {
      anyOf: [...places, ...(isObject(schema['items']) ? [forTypes(schema['items'])] : [])],
    };
  }
}

/** Comments of one line on one line; nothing where nothing is. */
function tidy(text: string): string {
  return text
    .replace(/\/\*\*\n ?\* ([^\n]*)\n ?\*\//g, '/** $1 */')
    .replace(/\{\s*\n\s*\}/g, '{}')
    .replace(/: \((\{(?:[^(){}]|\{[^(){}]*\})*\} \| null)\)/g, ': $1');
}

/** Indents by braces: the writer leaves layout to a formatter. */
function indent(text: string): string {
  let depth = 0;
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const closes = /^[\]})]/.test(line.trim());
      if (closes) depth--;
      const indented = '  '.repeat(Math.max(depth, 0)) + (line.startsWith(' *') ? ` ${line.trim()}` : line.trim());
      if (!/^\s*(\/\*\*|\*)/.test(line) && /[{([]$/.test(line.trim())) depth++;
      return indented.trimEnd();
    })
    .join('\n');
}
