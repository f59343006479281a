import type { CommandInfo } from '#schemas/types/command.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

/**
 * The parameters of an example by name, as the validator gets them. Undefined where they cannot be known without the
 * compiler: other forms, references, steps, other names of parameters.
 */
export function keywordForm(command: CommandInfo, action: Json): JsonObject | undefined {
  const parameters = written(command.name, action);
  if (!parameters || /\$\{|\{\{/.test(JSON.stringify(parameters))) return undefined;
  const known = new Map(command.params.map((parameter) => [parameter.name, parameter]));
  const plain = Object.keys(parameters).every((name) => known.has(name) && known.get(name)?.list === undefined);
  return plain ? parameters : undefined;
}

function written(name: string, action: Json): JsonObject | undefined {
  if (action === name) return {};
  if (Array.isArray(action)) {
    const [called, parameters = {}, ...more] = action as readonly Json[];
    return called === name && isObject(parameters) && more.length === 0 ? parameters : undefined;
  }
  const value = isObject(action) ? action[name] : undefined;
  return value === null ? {} : value !== undefined && isObject(value) ? value : undefined;
}
