import type { Json } from '#schemas/types/json.ts';

/** The command that reads a file of such a name. */
const READERS: Readonly<Record<string, string>> = { json: 'FA_json_get', yaml: 'FA_yaml_get', yml: 'FA_yaml_get' };

/**
 * The step that reads a document, for a text that names its file where the document itself is wanted: `spec: api.yaml`.
 * Undefined where the text names none.
 */
export function readerOf(actual: Json, types: Json): string | undefined {
  const wanted = [types].flat();
  if (typeof actual !== 'string' || !(wanted.includes('object') || wanted.includes('array'))) return undefined;
  const [, ending = ''] = /^[^\n"{}[\]]{1,200}\.(\w+)$/.exec(actual) ?? [];
  const command = READERS[ending.toLowerCase()];
  return command && `${command}: { path: ${JSON.stringify(actual)}, key_path: "" }`;
}
