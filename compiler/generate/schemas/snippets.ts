import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import type { Declaration, DeclaredParameter } from '../commands/declaration.ts';
import { isBlock } from '../commands/parameter-schemas.ts';

/** The most values that a snippet offers in place. */
const mostChoices = 12;

/**
 * The text of a call with its required parameters, with holes to fill. On one line, in braces, so that it is right at
 * any indentation and inside braces too.
 */
export function callSnippet({ name, params, required = [] }: Declaration): string {
  if (Object.keys(params).length === 0) return `${name}:`;
  const parts = required.map((key, index) => `${key}: ${hole(params[key], index + 1)}`);
  return `${name}: { ${parts.length === 0 ? '$1' : parts.join(', ')} }`;
}

function hole(parameter: DeclaredParameter | undefined, number: number): string {
  if (parameter === undefined || isBlock(parameter)) return `[$${number}]`;
  const choices = choicesOf(parameter.schema);
  if (choices.length > 0) return `\${${number}|${choices.join(',')}|}`;
  const holes: Readonly<Record<string, string>> = {
    boolean: `\${${number}|true,false|}`,
    integer: `\${${number}:1}`,
    number: `\${${number}:1}`,
    array: `[$${number}]`,
    object: `{ $${number} }`,
  };
  return holes[typeOf(parameter.schema)] ?? `"$${number}"`;
}

function choicesOf({ enum: values }: JsonObject): readonly string[] {
  const plain = Array.isArray(values) ? values.filter((value) => isPlain(value)) : [];
  return plain.length <= mostChoices ? plain : [];
}

function isPlain(value: Json): value is string {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_./-]*$/.test(value) && !/^(true|false|null)$/i.test(value);
}

/** The type that people write; text where several are possible and it is one of them. */
function typeOf(schema: JsonObject): string {
  const branches = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? (list as Json[]) : []));
  const types = [schema, ...branches.filter((branch) => isObject(branch))].flatMap(({ type }) => (type ?? []) as Json);
  const names = types.filter((type) => typeof type === 'string' && type !== 'null') as readonly string[];
  return names.includes('string') ? 'string' : (names[0] ?? 'string');
}

/** A call as people write it, for hovers. */
export function callExample(name: string, parameters: JsonObject): string {
  return `\`\`\`yaml\n- ${name}: ${flow(parameters)}\n\`\`\``;
}

/** A value as YAML on one line: JSON with plain keys. */
function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([key, item]) => `${isPlain(key) ? key : JSON.stringify(key)}: ${flow(item)}`,
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
