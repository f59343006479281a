import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Declaration, DeclaredParameter } from './declaration.ts';

/**
 * The schema of a command's parameters as one closed object. `lists` is what stands for a parameter whose steps are
 * compiled with the file: a block has no JSON to hold to a schema.
 */
export function parametersSchema(
  declaration: Declaration,
  lists: (parameter: DeclaredParameter) => JsonObject | undefined,
): JsonObject {
  const properties = Object.entries(declaration.params).map(([name, parameter]): [string, Json] => [
    name,
    lists(parameter) ?? parameter.schema,
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(declaration.required?.length ? { required: declaration.required } : {}),
    additionalProperties: false,
  };
}

/** Whether a parameter's steps are compiled with the file. */
export function isBlock(parameter: DeclaredParameter): boolean {
  return parameter.list === 'run' || parameter.list === 'background';
}
