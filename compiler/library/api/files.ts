import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';

import { read_action_json as readJson, write_action_json as writeJson } from '../action-files.ts';
import { scandir_find } from '../find.ts';

/** Absolute paths of the files in a folder and below it that have an ending, sorted; letter case does not count. */
export async function get_dir_files_as_list(
  {
    dir_path = null,
    default_search_file_extension = '.json',
  }: { readonly dir_path?: string | null; readonly default_search_file_extension?: string } = {},
  options: SessionOptions = {},
): Promise<string[]> {
  const ending = default_search_file_extension.toLowerCase();
  const found: string[] = [];
  for await (const path of scandir_find(dir_path ?? (options.host ?? nodeHost()).cwd, options))
    if (path.toLowerCase().endsWith(ending)) found.push(path);
  return found.toSorted();
}

/** The content of a JSON file. Rejects with APITesterJsonException where it is missing or broken. */
export async function read_action_json(json_file_path: string, options: SessionOptions = {}): Promise<Json> {
  return await named(readJson(json_file_path, options));
}

/** Writes a JSON file with four blanks a level. Rejects with APITesterJsonException where it cannot be written. */
export async function write_action_json(
  json_save_path: string,
  action_json: Json,
  options: SessionOptions = {},
): Promise<null> {
  return await named(writeJson(json_save_path, action_json, options));
}

/** JSON text, or a value, with four blanks a level and sorted keys. Throws SyntaxError for what is no JSON. */
export function reformat_json(json_string: Json): string {
  if (typeof json_string !== 'string') return JSON.stringify(sorted(json_string), null, 4);
  const parsed = parseJson(json_string);
  if ('error' in parsed) throw new SyntaxError(`it is no JSON: ${parsed.error}`);
  return JSON.stringify(sorted(parsed.json), null, 4);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}

/** Failures of files are called by the name that this part of the specification gives them. */
async function named<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Failure
      ? new Failure({ ...error.facts, name: 'APITesterJsonException' }, error.options)
      : error;
  }
}
