import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Declaration, Family } from '../commands/declaration.ts';

import { callSchema, callWords } from './command-schema.ts';
import { dispatch } from './dispatch.ts';
import { callSnippet } from './snippets.ts';

/** Whether a command can run. */
export type CanRun = (declaration: Declaration) => boolean;

/**
 * The schema of action files: the hand-written frame with every command put in, so that an editor that knows only this
 * file offers names and parameters in each form of an action. Every choice is decided by what stands there (`if` a list,
 * `if` this name), never tried out branch by branch, which keeps long files within an editor's time.
 */
export function actionFileSchema(frame: JsonObject, families: readonly Family[], canRun: CanRun): JsonObject {
  const commands = families.flatMap((family) => family.commands);
  const offered = commands.filter((command) => canRun(command) && !command.replaced_by);
  const definitions = frame['$defs'] as Readonly<Record<string, JsonObject>>;
  const options = optionsSchema(definitions['options'] ?? {});
  return {
    ...frame,
    $defs: {
      ...definitions,
      options,
      meta: metaSchema(definitions['meta'] ?? {}, offered),
      name: nameSchema(definitions['name'] ?? {}, commands, canRun),
      object: objectSchema(definitions, commands, offered, options),
      array: arraySchema(definitions['array'] ?? {}, commands, offered),
      ...Object.fromEntries(commands.map((command) => [command.name, callSchema(command, !canRun(command))])),
    },
  };
}

interface Snippet {
  readonly label: string;
  readonly bodyText: string;
}

/** Step options stand behind commands where an editor sorts what it offers, the likely ones first. */
function optionsSchema(options: JsonObject): JsonObject {
  const snippets = options['defaultSnippets'] as unknown as readonly Snippet[];
  const properties = Object.entries(options['properties'] as Readonly<Record<string, JsonObject>>);
  return {
    ...options,
    defaultSnippets: snippets.map(({ label, bodyText }, index) => ({
      label,
      bodyText,
      description: properties.find(([name]) => name === label)?.[1]['description'] ?? '',
      sortText: `~${String(index).padStart(2, '0')}`,
    })),
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, { ...schema, doNotSuggest: true }])),
  };
}

function metaSchema(meta: JsonObject, offered: readonly Declaration[]): JsonObject {
  const properties = meta['properties'] as Readonly<Record<string, JsonObject>>;
  const names: JsonObject = {
    anyOf: [{ enum: offered.map(({ name }) => name) }, { $ref: '#/$defs/name' }],
  };
  return {
    ...meta,
    properties: { ...properties, defaults: { ...properties['defaults'], propertyNames: names } },
  };
}

/** The words of a command where its name stands alone or begins a list. */
function nameSchema(name: JsonObject, commands: readonly Declaration[], canRun: CanRun): JsonObject {
  const words = new Map(commands.map((command) => [command.name, callWords(command, !canRun(command))] as const));
  return {
    ...name,
    ...dispatch([...words.keys()], {
      test: (pattern) => ({ pattern }),
      leaf: (command) => {
        const { description, ...rest } = words.get(command) ?? { description: '' };
        // The title above a hover here is that of the whole schema.
        return { description: `${command}: ${description}`, ...rest };
      },
      otherwise: { $ref: '#/$defs/module' },
    }),
  };
}

/** Commands are offered as long as none has parameters, step options always. */
function objectSchema(
  { object, module }: Readonly<Record<string, JsonObject>>,
  commands: readonly Declaration[],
  offered: readonly Declaration[],
  options: JsonObject,
): JsonObject {
  return {
    ...object,
    properties: {
      ...Object.fromEntries(commands.map(({ name }) => [name, { $ref: `#/$defs/${name}` }])),
      ...(options['properties'] as JsonObject),
    },
    patternProperties: { [module?.['pattern'] as string]: {} },
    defaultSnippets: options['defaultSnippets'] as Json,
    if: { patternProperties: { '^(WR|AT|FA)_': { type: 'null' } } },
    then: {
      defaultSnippets: offered.map((command) => ({
        label: command.name,
        bodyText: callSnippet(command),
        description: command.summary,
      })),
    },
  };
}

/** What stands behind a name in a list is held to the command; behind keyword parameters stand step options. */
function arraySchema(array: JsonObject, commands: readonly Declaration[], offered: readonly Declaration[]): JsonObject {
  const [name, ...others] = array['prefixItems'] as readonly JsonObject[];
  const names = offered.map((command) => ({
    label: command.name,
    body: command.name,
    description: command.summary,
  }));
  const parameters = dispatch(
    commands.map((command) => command.name),
    {
      test: (pattern) => ({ prefixItems: [{ pattern }] }),
      leaf: (command) => ({ prefixItems: [{}, { $ref: `#/$defs/${command}` }] }),
    },
  );
  return {
    ...array,
    prefixItems: [{ ...name, defaultSnippets: names }, ...others],
    allOf: [
      { prefixItems: [{ $ref: '#/$defs/name' }] },
      { if: { prefixItems: [{ type: 'string' }], minItems: 2 }, then: parameters },
      {
        if: { prefixItems: [{}, { type: 'object' }], minItems: 3 },
        then: { prefixItems: [{}, {}, { $ref: '#/$defs/options' }] },
      },
    ],
  };
}
