import { resolve } from 'node:path';

import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

/**
 * Rows of a CSV file (UTF-8) by the names of its first line, one by one; all values are text. Rejects for a line with
 * more or fewer values than columns.
 */
export async function* iter_csv_rows(
  file_path: string,
  { delimiter = ',' }: { readonly delimiter?: string } = {},
  { host = nodeHost(), signal }: SessionOptions = {},
): AsyncGenerator<JsonObject, void> {
  if (delimiter.length !== 1) throw new RangeError('delimiter must be one character');
  const { decoded } = await import('#runtime/adapters/dataset/decoded.ts');
  const { parseCsv } = await import('#runtime/adapters/dataset/parse-csv.ts');
  try {
    for await (const row of parseCsv(decoded(host.files.stream(resolve(host.cwd, file_path)), 'utf-8'), delimiter)) {
      signal?.throwIfAborted();
      yield row;
    }
  } catch (error) {
    throw signal?.aborted ? error : unreadable(file_path, error);
  }
}

/** Rows of a JSON file: the objects of a list, or a single object. */
export async function* iter_json_rows(
  file_path: string,
  { host = nodeHost() }: SessionOptions = {},
): AsyncGenerator<JsonObject, void> {
  let rows: readonly unknown[];
  try {
    const bytes = await host.files.read(resolve(host.cwd, file_path));
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
    if (!Array.isArray(value) && !isObject(value)) throw new Error('it is neither a list nor an object');
    rows = Array.isArray(value) ? value : [value];
  } catch (error) {
    throw unreadable(file_path, error);
  }
  for (const [index, row] of rows.entries()) {
    if (!isObject(row))
      throw fail.rowNotAnObject({ row: index + 1, path: file_path, type: row === null ? 'null' : `a ${typeof row}` });
    yield row;
  }
}

/** The rows of a sequence as a list, in order. */
export async function collect_rows(rows: Iterable<JsonObject> | AsyncIterable<JsonObject>): Promise<JsonObject[]> {
  const list: JsonObject[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

function unreadable(path: string, cause: unknown): unknown {
  if (cause instanceof Failure) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return fail.datasetUnreadable({ path, reason: message.endsWith('.') ? message : `${message}.`, cause });
}
