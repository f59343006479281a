import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

/** Words about a parameter: they stay with it. */
const WORDS: ReadonlySet<string> = new Set([
  'description',
  'markdownDescription',
  'default',
  'deprecated',
  'deprecationMessage',
  'doNotSuggest',
]);
/** Shorter ones are hardly longer than the reference. */
const LEAST = 64;

/**
 * Parameters that many commands take alike stand once, under `$defs`, so that an editor reads a file of bearable size.
 * Names come from the first parameter that has the schema.
 */
export function shareParameters(commands: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  const seen = new Map<string, number>();
  for (const text of Object.values(commands).flatMap((command) =>
    parameters(command).map(([, schema]) => keyOf(schema)),
  ))
    seen.set(text, (seen.get(text) ?? 0) + 1);
  const names = new Map<string, string>();
  const shared: Record<string, JsonObject> = {};
  const placed = (name: string, parameter: string, schema: JsonObject): JsonObject => {
    const text = keyOf(schema);
    if (text.length < LEAST || (seen.get(text) ?? 0) < 2) return schema;
    const known = names.get(text) ?? `${name}.${parameter}`;
    names.set(text, known);
    shared[known] = JSON.parse(text) as JsonObject;
    const words = Object.entries(schema).filter(([key]) => WORDS.has(key));
    return { ...Object.fromEntries(words), $ref: `#/$defs/${known}` };
  };
  const rewritten = Object.entries(commands).map(([name, command]): [string, JsonObject] => {
    const properties = parameters(command).map(([key, schema]) => [key, placed(name, key, schema)] as const);
    return [name, properties.length === 0 ? command : { ...command, properties: Object.fromEntries(properties) }];
  });
  return { ...Object.fromEntries(rewritten), ...shared };
}

function parameters(command: JsonObject): readonly (readonly [string, JsonObject])[] {
  const properties: Json = command['properties'] ?? null;
  if (!isObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}

function keyOf(schema: JsonObject): string {
  return JSON.stringify(Object.fromEntries(Object.entries(schema).filter(([key]) => !WORDS.has(key))));
}
