import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import type { Declaration, DeclaredParameter } from '../commands/declaration.ts';
import { isBlock } from '../commands/parameter-schemas.ts';

import { withoutOwnFormats } from './own-formats.ts';
import { withReferences } from './references.ts';
import { callExample } from './snippets.ts';

/** The parameters of a command as an editor sees them: with words, defaults, examples, old names marked as such. */
export function commandSchema(declaration: Declaration): JsonObject {
  const { name, summary, replaced_by: by } = declaration;
  const examples = keywordExamples(declaration);
  return {
    title: name,
    description: by ? `${summary} Old name of ${by}.` : summary,
    ...(by ? { deprecated: true } : {}),
    type: 'object',
    properties: {
      ...properties(declaration),
      ...(name.startsWith('AT_') ? amongParameters(declaration) : {}),
    },
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
        {
          ...schema,
          description: `Other name of \`${name}\`.`,
          deprecated: true,
        },
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
  return schema['type'] === 'array' && isObject(schema['items']);
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

/** Description of a command for editors. */
export function callWords(declaration: Declaration, isPlanned: boolean): JsonObject & { readonly description: string } {
  const { replaced_by: by } = declaration;
  const { description } = commandSchema(declaration) as { readonly description: string };
  return {
    description: isPlanned ? `${description} Planned: it cannot run yet.` : description,
    ...(by ? { deprecationMessage: `Old name of ${by}.` } : {}),
  };
}

/**
 * Schema of the part after a command's name in an action file: keyword parameters, positional ones, or the
 * first one alone. Its keywords speak of one type each, so that no branch is tried in vain. Editors neither
 * offer it as a key (snippets do, where a command is due) nor its required parameters as a block, which is
 * broken text inside braces.
 */
export function callSchema(declaration: Declaration, isPlanned: boolean): JsonObject {
  const {
    examples,
    properties: parameters,
    required,
    allOf = [],
    type: _type,
    description: _words,
    ...schema
  } = commandSchema(declaration);
  const { description, ...words } = callWords(declaration, isPlanned);
  const needs = [...(required === undefined ? [] : [{ required }]), ...(allOf as readonly Json[])];
  const [example] = (examples ?? []) as readonly JsonObject[];
  const positional = Object.values(declaration.params).filter((parameter) => !parameter.keyword_only);
  return {
    ...schema,
    ...words,
    // Editors show the one with an example where it is there; both would be a tenth of the file.
    ...(example
      ? { markdownDescription: `${description}\n\n${callExample(declaration.name, example)}` }
      : { description }),
    doNotSuggest: true,
    ...(positional.length === 0 ? { type: ['object', 'array', 'null'] } : {}),
    ...(positional.some((parameter) => parameter.variadic) ? {} : { maxItems: positional.length }),
    properties: Object.fromEntries(
      Object.entries(parameters as Readonly<Record<string, JsonObject>>).map(([key, value]) => [key, asOffered(value)]),
    ),
    ...(needs.length === 0 ? {} : { allOf: needs }),
  };
}

/**
 * A parameter as an editor offers it: without old names and step options, and without what it would write as a block:
 * lists of steps, and defaults that are no text.
 */
function asOffered({ $ref, default: fallback, ...schema }: JsonObject): JsonObject {
  return {
    ...schema,
    ...(fallback === undefined || typeof fallback === 'object' ? {} : { default: fallback }),
    ...($ref === undefined ? {} : { anyOf: [{ $ref }] }),
    ...(schema['deprecated'] || String($ref).startsWith('#/$defs/options/') ? { doNotSuggest: true } : {}),
  };
}
