import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Declaration, Family } from '../commands/declaration.ts';

import { argumentsSchema, commandSchema } from './command-schema.ts';

/** Names without a prefix of ours: commands of modules, `<module>_<function>`. */
const moduleName = '^(?!(?:WR|AT|FA)_)[A-Za-z_][A-Za-z0-9_]*_[A-Za-z0-9_$]+$';

/**
 * The schema of action files: the hand-written frame with every command put in, so that an editor that knows only this
 * file offers names and parameters in each form of an action.
 */
export function actionFileSchema(frame: JsonObject, families: readonly Family[]): JsonObject {
  const commands = families.flatMap((family) => family.commands);
  const definitions = frame['$defs'] as JsonObject;
  const options = (definitions['options'] as JsonObject)['properties'] as JsonObject;
  const object = definitions['object'] as JsonObject;
  const array = definitions['array'] as JsonObject;
  return {
    ...frame,
    $defs: {
      ...definitions,
      name: {
        ...(definitions['name'] as JsonObject),
        anyOf: [
          ...commands.map(nameSchema),
          { pattern: moduleName, type: 'string', description: 'Command of a module.' },
        ],
      },
      object: {
        ...object,
        properties: {
          ...Object.fromEntries(commands.map((command) => [command.name, argumentsSchema(command)])),
          ...options,
        },
        patternProperties: { [moduleName]: {} },
      },
      array: { ...array, allOf: [optionsLast, ...byPrefix(families)] },
      ...Object.fromEntries(commands.map((command) => [command.name, commandSchema(command)])),
    },
  };
}

function nameSchema({ name, summary, replaced_by: by }: Declaration): JsonObject {
  return { const: name, description: summary, ...(by ? { deprecated: true } : {}) };
}

/** Behind keyword parameters stand step options. */
const optionsLast: JsonObject = {
  if: { prefixItems: [{}, { type: 'object' }], minItems: 3 },
  then: { prefixItems: [{}, {}, { $ref: '#/$defs/options' }] },
};

/** What stands behind a name is held to the command; asked by prefix, then by family, so that few conditions are tried. */
function byPrefix(families: readonly Family[]): readonly Json[] {
  return Object.entries({ browser: '^WR_', api: '^AT_', files: '^FA_' }).map(([domain, pattern]) => ({
    if: { prefixItems: [{ pattern }], minItems: 2 },
    then: { allOf: families.filter((family) => family.domain === domain).map(byFamily) },
  }));
}

function byFamily({ commands }: Family): JsonObject {
  return {
    if: { prefixItems: [{ enum: commands.map(({ name }) => name) }] },
    then: {
      allOf: commands.map((command) => ({
        if: { prefixItems: [{ const: command.name }] },
        then: { prefixItems: [{}, argumentsBehind(command)] },
      })),
    },
  };
}

/** In the list form a list or an object follows the name. */
function argumentsBehind(command: Declaration): JsonObject {
  const { anyOf } = argumentsSchema(command) as { anyOf: readonly Json[] };
  return { anyOf: anyOf.slice(0, 2) };
}
