import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Declaration, Family } from '../commands/declaration.ts';

import { callSchema, callWords } from './command-schema.ts';
import { dispatch, oneOf } from './dispatch.ts';
import { withOptionKeys } from './option-keys.ts';
import { shareParameters } from './share.ts';
import { callSnippet } from './snippets.ts';

/** Whether a command can run. */
export type CanRun = (declaration: Declaration) => boolean;

/**
 * The schema of action files: the hand-written frame with every command put in, so that an editor that knows only this
 * file offers names and parameters in each form of an action. Every choice is decided by what stands there (`if` a
 * list, `if` this name), never tried out branch by branch, which keeps long files within an editor's time.
 */
export function actionFileSchema(frame: JsonObject, families: readonly Family[], canRun: CanRun): JsonObject {
  const commands = families.flatMap((family) => family.commands);
  const offered = commands.filter((command) => canRun(command) && !command.replaced_by);
  const definitions = withOptionKeys(frame['$defs'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const options = optionsSchema(definitions['options'] ?? {});
  return {
    ...frame,
    $defs: {
      ...definitions,
      options,
      known: oneOf(commands.map(({ name }) => name)),
      meta: metaSchema(definitions['meta'] ?? {}, offered),
      name: nameSchema(definitions['name'] ?? {}, commands, canRun),
      object: objectSchema(definitions, commands, offered, options),
      array: arraySchema(definitions['array'] ?? {}, commands, offered),
      ...shareParameters(
        Object.fromEntries(commands.map((command) => [command.name, callSchema(command, !canRun(command))])),
      ),
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
    if: { $ref: '#/$defs/known' },
    then: dispatch([...words.keys()], {
      test: (pattern) => ({ pattern }),
      leaf: (command) => {
        const { description, ...rest } = words.get(command) ?? { description: '' };
        // The title above a hover here is that of the whole schema.
        return { description: `${command}: ${description}`, ...rest };
      },
    }),
    else: { $ref: '#/$defs/own' },
  };
}

/** Snippets of control forms, by word; the first key of each is its word. */
const FORMS: Readonly<Record<string, { readonly snippet: string; readonly keys: Readonly<Record<string, string>> }>> = {
  for_each: {
    snippet: 'for_each: $1\ndo:\n  - $2',
    keys: { do: 'do:\n  - $1', as: 'as: $1', max_workers: 'max_workers: ${1:4}', collect: 'collect: "{{$1}}"' },
  },
  group: { snippet: 'group:\n  - $1', keys: { always: 'always:\n  - $1' } },
  if: { snippet: 'if: $1\nthen:\n  - $2', keys: { then: 'then:\n  - $1', else: 'else:\n  - $1' } },
  parallel: { snippet: 'parallel:\n  - - $1\n  - - $2', keys: { max_workers: 'max_workers: ${1:4}' } },
  until: {
    snippet: 'until: $1\ndo:\n  - $2',
    keys: {
      do: 'do:\n  - $1',
      interval_s: 'interval_s: ${1:1}',
      max_s: 'max_s: ${1:30}',
      max_attempts: 'max_attempts: ${1:10}',
    },
  },
  use: { snippet: 'use: $1', keys: { with: 'with: { $1 }' } },
};

/** Commands and forms are offered as long as none is there; behind a form its other keys; step options always. */
function objectSchema(
  { object, own, control }: Readonly<Record<string, JsonObject>>,
  commands: readonly Declaration[],
  offered: readonly Declaration[],
  options: JsonObject,
): JsonObject {
  return {
    ...object,
    properties: {
      ...Object.fromEntries(commands.map(({ name }) => [name, { $ref: `#/$defs/${name}` }])),
      ...Object.fromEntries(
        Object.entries((control ?? {})['properties'] as Readonly<Record<string, JsonObject>>).map(([name, schema]) => [
          name,
          { ...schema, doNotSuggest: true },
        ]),
      ),
      ...(options['properties'] as JsonObject),
    },
    patternProperties: { [own?.['pattern'] as string]: {} },
    defaultSnippets: options['defaultSnippets'] as Json,
    if: { patternProperties: { '^(WR|AT|FA)_': { type: 'null' } } },
    then: {
      if: hasNone(Object.keys(FORMS)),
      then: { defaultSnippets: [...offered.map(commandSnippet), ...formSnippets(control)] },
      else: {
        allOf: Object.entries(FORMS).map(([word, { keys }]) => ({
          if: hasNone([word]),
          else: keySnippets(keys, control),
        })),
      },
    },
  };
}

function commandSnippet(command: Declaration): JsonObject {
  return { label: command.name, bodyText: callSnippet(command), description: command.summary };
}

/** Whether none of these keys is there: decided by what stands there, without `required`. */
function hasNone(keys: readonly string[]): JsonObject {
  return { patternProperties: { [`^(${keys.join('|')})$`]: false } };
}

function wordsOf(key: string, control: JsonObject = {}): Json {
  return (control['properties'] as Readonly<Record<string, JsonObject>>)[key]?.['description'] ?? '';
}

function formSnippets(control: JsonObject | undefined): readonly JsonObject[] {
  return Object.entries(FORMS).map(([word, { snippet }]) => ({
    label: word,
    bodyText: snippet,
    description: wordsOf(word, control),
  }));
}

function keySnippets(keys: Readonly<Record<string, string>>, control: JsonObject | undefined): JsonObject {
  return {
    defaultSnippets: Object.entries(keys).map(([key, bodyText]) => ({
      label: key,
      bodyText,
      description: wordsOf(key, control),
    })),
  };
}

/**
 * Schema of a call as a list: the part after the name is held to the command; after keyword parameters stand
 * step options.
 */
function arraySchema(array: JsonObject, commands: readonly Declaration[], offered: readonly Declaration[]): JsonObject {
  const [name, ...others] = array['prefixItems'] as readonly JsonObject[];
  // Without words, which stand in the hover: thousands of bytes for every name cost more than they tell.
  const names = offered.map((command) => ({ label: command.name, body: command.name }));
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
      { if: { prefixItems: [{ type: 'string', $ref: '#/$defs/known' }], minItems: 2 }, then: parameters },
      {
        if: { prefixItems: [{}, { type: 'object' }], minItems: 3 },
        then: { prefixItems: [{}, {}, { $ref: '#/$defs/options' }] },
      },
    ],
  };
}
