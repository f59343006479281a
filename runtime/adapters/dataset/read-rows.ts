import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';
import type { RowSource } from '#schemas/types/plan.ts';

import { decoded, lines } from './decoded.ts';
import { parseCsv } from './parse-csv.ts';

/** Largest JSON dataset, which must be read whole. CSV and JSON Lines are read row by row. */
const WHOLE = 64 * 1024 * 1024;

/**
 * The rows of a dataset, in order, at most `limit`. Fails where the file cannot be read, has another form, or has no
 * row.
 */
export async function* readRows(source: RowSource, path: string, host: Host): AsyncIterable<JsonObject> {
  const limit = source.limit ?? Infinity;
  let count = 0;
  try {
    for await (const row of rowsOf(source, path, host)) {
      if (count === limit) return;
      count++;
      yield row;
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw fail.datasetUnreadable({ path: source.path, reason: reasonOf(cause), cause });
  }
  if (count === 0) throw fail.datasetUnreadable({ path: source.path, reason: 'it has no rows.' });
}

function rowsOf(source: RowSource, path: string, host: Host): AsyncIterable<JsonObject> {
  const text = decoded(host.files.stream(path), source.encoding ?? 'utf-8');
  switch (source.format) {
    case 'csv':
      return parseCsv(text, source.delimiter ?? ',');
    case 'jsonl':
      return jsonLines(text, source);
    case 'json':
      return jsonList(text, source, path, host);
    default:
      return source.format satisfies never;
  }
}

async function* jsonLines(text: AsyncIterable<string>, source: RowSource): AsyncIterable<JsonObject> {
  let number = 0;
  for await (const line of lines(text)) {
    number++;
    if (line.trim() === '') continue;
    yield row(parsed(line, `line ${number}: `), number, source);
  }
}

async function* jsonList(
  text: AsyncIterable<string>,
  source: RowSource,
  path: string,
  host: Host,
): AsyncIterable<JsonObject> {
  const { size } = await host.files.stat(path);
  if (size > WHOLE)
    throw new Error(`it has ${size} bytes, and a JSON dataset may have ${WHOLE}; JSON Lines has no limit.`);
  let whole = '';
  for await (const chunk of text) whole += chunk;
  const values = parsed(whole, '');
  if (!Array.isArray(values)) throw new Error('it is not a list.');
  for (const [index, value] of values.entries()) yield row(value, index + 1, source);
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Error(`${where}${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}

function row(value: unknown, number: number, source: RowSource): JsonObject {
  if (isObject(value)) return value;
  throw fail.rowNotAnObject({
    row: number,
    path: source.path,
    type: Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`,
  });
}

function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.endsWith('.') ? message : `${message}.`;
}
