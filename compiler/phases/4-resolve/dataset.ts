import { join } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import type { Reader, Refused } from '#compiler/reader.ts';
import { openDecoder } from '#grammar/encoding/open-decoder.ts';
import { plainName, readingOf } from '#grammar/encoding/reading.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { isList, isObject } from '#schemas/types/json.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { RowSource } from '#schemas/types/plan.ts';

import type { WrittenDataset } from '../3-parse/ast.ts';

import { sourceIdOf } from './files.ts';
import { refusedAt } from './refused.ts';

export interface KnownRows {
  readonly rows: RowSource;
  /** Undefined where only a run can know them. */
  readonly columns: ReadonlySet<string> | undefined;
}

const FORMATS = { '.csv': 'csv', '.tsv': 'csv', '.json': 'json', '.jsonl': 'jsonl', '.ndjson': 'jsonl' } as const;

/** Looks a dataset up beside the action file, then at the root, and reads the names of its columns. */
export async function knownRows(
  written: WrittenDataset,
  source: SourceId,
  folder: string,
  context: CompileContext,
): Promise<KnownRows | undefined> {
  const at = { source, route: written.route, part: 'value' } as const;
  const ending = Object.keys(FORMATS).find((each) => written.path.toLowerCase().endsWith(each));
  if (ending === undefined || !isFormat(ending)) {
    // A path that a reference completes is known at run time only; its ending decides all the same.
    context.report(d.datasetFormat({ at, path: written.path, allowed: Object.keys(FORMATS).join(', ') }));
    return undefined;
  }
  const { path: asWritten, route: _route, ...options } = written;
  if (options.encoding !== undefined && readingOf(plainName(options.encoding)) === undefined)
    context.report(
      d.datasetEncoding({
        at: { source, route: [...written.route.slice(0, -1), 'encoding'], part: 'value' },
        encoding: options.encoding,
      }),
    );
  const found = await find(asWritten, [folder, context.root], context.reader);
  if (typeof found !== 'string') {
    context.report(
      found === undefined ? d.datasetMissing({ at, path: asWritten }) : refusedAt(found.why, { at, path: asWritten }),
    );
    return undefined;
  }
  const tabs = ending === '.tsv' && options.delimiter === undefined ? { delimiter: '\t' } : {};
  const rows: RowSource = { path: sourceIdOf(found, context.root), format: FORMATS[ending], ...tabs, ...options };
  return { rows, columns: await columnsOf(found, rows, context) };
}

function isFormat(ending: string): ending is keyof typeof FORMATS {
  return Object.hasOwn(FORMATS, ending);
}

async function find(path: string, folders: readonly string[], reader: Reader): Promise<string | Refused | undefined> {
  for (const folder of folders) {
    const candidate = join(folder, path);
    const found = await reader.find(candidate);
    if (found?.kind === 'file') return candidate;
    if (found?.kind === 'refused') return found;
  }
  return undefined;
}

/** A file of this size is read whole for its columns. */
const WHOLE = 8 * 1024 * 1024;
/** Bytes of a CSV file within which its first line, with the names of columns, must end. */
const FIRST_LINES = 1024 * 1024;

async function columnsOf(
  path: string,
  rows: RowSource,
  { reader }: CompileContext,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const isCsv = rows.format === 'csv';
    const bytes = await reader.read(path, isCsv ? { limit: FIRST_LINES, head: true } : { limit: WHOLE });
    const text = textOf(bytes, rows.encoding ?? 'utf-8');
    return rows.format === 'csv' ? headerOf(text, rows.delimiter ?? ',') : keysOf(text, rows.format);
  } catch {
    // An unreadable or broken dataset, or an encoding that only the run knows: the run reports it with its line.
    return undefined;
  }
}

function textOf(bytes: Uint8Array, encoding: string): string {
  const reading = readingOf(plainName(encoding));
  if (reading === undefined) throw new TypeError(encoding);
  return openDecoder(reading, false)
    .decode(bytes)
    .replace(/^\ufeff/, '');
}

function keysOf(text: string, format: 'json' | 'jsonl'): ReadonlySet<string> | undefined {
  const values: unknown =
    format === 'json'
      ? JSON.parse(text)
      : text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line): unknown => JSON.parse(line));
  if (!isList(values)) return undefined;
  return new Set(values.filter(isObject).flatMap((row) => Object.keys(row)));
}

/** The cells of the first record (RFC 4180: quotes may hold delimiters, line breaks and doubled quotes). */
function headerOf(text: string, delimiter: string): ReadonlySet<string> {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  const content = text.replace(/^[\r\n]+/, '');
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at] ?? '';
    if (quoted) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') cell += content[(at += 1)] ?? '';
      else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === '\n' || character === '\r') break;
    else if (character === delimiter) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return new Set([...cells, cell]);
}
