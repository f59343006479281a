import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import type { Declaration, DeclaredParameter } from '../commands/declaration.ts';
import { isBlock } from '../commands/parameter-schemas.ts';

import { withoutOwnFormats } from './own-formats.ts';
import { withReferences } from './references.ts';

/** The parameters of a command as an editor sees them: with words, defaults, examples, old names marked as such. */
export function commandSchema(declaration: Declaration): JsonObject {
  const { name, summary, replaced_by: by } = declaration;
  const examples = keywordExamples(declaration);
  return {
    title: name,
    description: by ? `${summary} Old name of ${by}.` : summary,
    ...(by ? { deprecated: true } : {}),
    type: 'object',
    properties: { ...properties(declaration), ...(name.startsWith('AT_') ? amongParameters(declaration) : {}) },
    ...requirements(declaration),
    additionalProperties: false,
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function properties(declaration: Declaration): JsonObject {
  const entries: [string, Json][] = [];
  for (const [name, parameter] of Object.entries(declaration.params)) {
    const schema = parameterSchema(parameter);
    entries.push([name, schema]);
    for (const alias of parameter.aliases ?? [])
      entries.push([
        alias,
        { ...schema, description: `Other name of \`${name}\`. ${parameter.about}`, deprecated: true },
      ]);
  }
  return Object.fromEntries(entries);
}

function parameterSchema(parameter: DeclaredParameter): JsonObject {
  const { default: fallback } = parameter.schema;
  const words = {
    description: parameter.about,
    ...(fallback === undefined || isBlock(parameter) ? {} : { default: fallback }),
  };
  if (isBlock(parameter)) return { ...words, $ref: isNodes(parameter) ? '#/$defs/nodes' : '#/$defs/steps' };
  const { description: _, ...schema } = withReferences(withoutOwnFormats(parameter.schema));
  return { ...words, ...schema };
}

/** A list of graph nodes is a list of objects; a list of steps takes all forms. */
function isNodes({ schema }: DeclaredParameter): boolean {
  return schema['type'] === 'array' && isObject(schema['items'] ?? null);
}

/** A required parameter may stand under its other name. */
function requirements({ params, required = [] }: Declaration): JsonObject {
  const plain = required.filter((name) => params[name]?.aliases === undefined);
  const eitherName = required
    .filter((name) => !plain.includes(name))
    .map((name): JsonObject => ({
      anyOf: [name, ...(params[name]?.aliases ?? [])].map((spelling) => ({ required: [spelling] })),
    }));
  return {
    ...(plain.length === 0 ? {} : { required: plain }),
    ...(eitherName.length === 0 ? {} : { allOf: eitherName }),
  };
}

/** AT_ commands may carry these among their parameters. */
function amongParameters({ params }: Declaration): JsonObject {
  const options = ['id', 'depends_on', 'tags'].filter((name) => params[name] === undefined);
  return Object.fromEntries(options.map((name) => [name, { $ref: `#/$defs/options/properties/${name}` }]));
}

/** Parameters of the examples that are written by keyword. */
function keywordExamples({ name, examples }: Declaration): readonly Json[] {
  return (examples ?? []).flatMap((example) => {
    const { run } = example;
    if (Array.isArray(run)) {
      const [, parameters] = run as readonly Json[];
      return run.length === 2 && parameters !== undefined && isObject(parameters) ? [parameters] : [];
    }
    const parameters = run !== undefined && isObject(run) ? run[name] : undefined;
    return parameters !== undefined && isObject(parameters) ? [parameters] : [];
  });
}

/** What may stand behind the command's name: keyword parameters, positional ones, or the first one alone. */
export function argumentsSchema(declaration: Declaration): JsonObject {
  const positional = Object.values(declaration.params).filter((parameter) => !parameter.keyword_only);
  const most = positional.some((parameter) => parameter.variadic) ? {} : { maxItems: positional.length };
  const list: JsonObject = { type: 'array', ...most };
  const none: JsonObject = { type: 'null' };
  const scalar: JsonObject = { $ref: '#/$defs/scalar' };
  const words = { description: declaration.summary, ...(declaration.replaced_by ? { deprecated: true } : {}) };
  return { ...words, anyOf: [{ $ref: `#/$defs/${declaration.name}` }, list, positional.length === 0 ? none : scalar] };
}
