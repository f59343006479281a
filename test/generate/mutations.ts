import type { CommandInfo } from '#schemas/types/command.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** Changes of fitting parameters that must be refused, each with its name. */
export function* mutations(
  command: CommandInfo,
  fitting: JsonObject,
): Generator<readonly [what: string, changed: JsonObject]> {
  yield ['an unknown parameter', { ...fitting, no_such_parameter: 1 }];
  for (const { name, required, aliases, schema, list } of command.params) {
    if (required && aliases === undefined) {
      const { [name]: _, ...rest } = fitting;
      yield [`no ${name}`, rest];
    }
    const wrong = list === 'run' || list === 'background' ? undefined : wrongType(schema);
    if (wrong !== undefined) yield [`${name} of a wrong type`, { ...fitting, [name]: wrong }];
  }
}

/** A value of a type that the schema does not name; undefined where it takes all types. */
function wrongType(schema: JsonObject): Json | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? (type as readonly string[]) : [type as string];
  if (!types.includes('boolean')) return true;
  if (!types.includes('array')) return [];
  return types.includes('object') ? undefined : {};
}
