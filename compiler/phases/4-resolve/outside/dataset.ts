import { join } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import type { Reader, Refused } from '#compiler/reader.ts';
import { openDecoder } from '#grammar/encoding/open-decoder.ts';
import { plainName, readingOf } from '#grammar/encoding/reading.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { RowSource } from '#schemas/types/plan.ts';

import type { WrittenDataset } from '../../3-parse/ast.ts';

import { columnTypes, type ColumnTypes } from './column-types.ts';
import { sourceIdOf } from '../files.ts';
import { refusedAt } from '../refused.ts';

export interface KnownRows {
  readonly rows: RowSource;
  /** Undefined where only a run can know them. */
  readonly columns: ColumnTypes | undefined;
}

const FORMATS = { '.csv': 'csv', '.tsv': 'csv', '.json': 'json', '.jsonl': 'jsonl', '.ndjson': 'jsonl' } as const;

/** Looks a dataset up beside the action file, then at the root, and finds out what its columns hold. */
export async function knownRows(
  written: WrittenDataset,
  source: SourceId,
  folder: string,
  datasets: Datasets,
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
  return { rows, columns: await datasets.columns(found, rows, context) };
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
const WHOLE = 16 * 1024 * 1024;
/** Bytes of a larger CSV file within which its first line, with the names of columns, must end. */
const FIRST_LINES = 1024 * 1024;

/** Columns of datasets, found out once for each content and way of reading it. */
export class Datasets {
  readonly #known = new Map<string, ColumnTypes | undefined>();

  async columns(path: string, rows: RowSource, context: CompileContext): Promise<ColumnTypes | undefined> {
    try {
      const { bytes, isHead } = await contentOf(path, rows, context);
      const { path: _path, ...reading } = rows;
      const key = `${JSON.stringify(reading)} ${digestOf(bytes, context)}`;
      if (!this.#known.has(key)) this.#known.set(key, typesIn(bytes, rows, isHead));
      return this.#known.get(key);
    } catch {
      // An unreadable dataset, or an encoding that only the run knows: the run reports it with its line.
      return undefined;
    }
  }
}

async function contentOf(path: string, { format }: RowSource, { reader }: CompileContext) {
  const found = await reader.find(path);
  const isHead = format === 'csv' && found?.kind === 'file' && found.size > WHOLE;
  const bytes = await reader.read(path, isHead ? { limit: FIRST_LINES, head: true } : { limit: WHOLE });
  return { bytes, isHead };
}

function digestOf(bytes: Uint8Array, { host }: CompileContext): string {
  const digest = host.digest('sha256');
  if (digest === undefined) throw new Error('the host has no SHA-256');
  digest.update(bytes);
  return digest.hex();
}

function typesIn(bytes: Uint8Array, rows: RowSource, isHead: boolean): ColumnTypes | undefined {
  try {
    return columnTypes(textOf(bytes, rows.encoding ?? 'utf-8'), rows, isHead);
  } catch {
    // A broken dataset: the run reports it with its line.
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
