import { join } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import type { Reader, Refused } from '#compiler/reader.ts';
import { openDecoder } from '#grammar/encoding/open-decoder.ts';
import { plainName, readingOf } from '#grammar/encoding/reading.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Digest } from '#schemas/types/host.ts';
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

/** Files of so many times the size that other files may have are read to their end for their columns. */
const TIMES = 4;
/** Bytes of a larger CSV file within which its first line, with the names of columns, must end. */
const FIRST_LINES = 1024 * 1024;

/** Facts about one content, as far as it was read. */
interface Known {
  /** Way of reading it. */
  readonly reading: string;
  /** Size of the file, and number of bytes that tell all. */
  readonly size: number;
  readonly end: number;
  readonly digest: string;
  readonly columns: ColumnTypes | undefined;
}

/** Columns of datasets, found out once for each content and way of reading it; of a file a piece is held at a time. */
export class Datasets {
  readonly #known: Known[] = [];

  async columns(path: string, rows: RowSource, context: CompileContext): Promise<ColumnTypes | undefined> {
    try {
      const found = await context.reader.find(path);
      if (found?.kind !== 'file') return undefined;
      const { path: _path, ...how } = rows;
      const reading = JSON.stringify(how);
      const { size } = found;
      for (const known of this.#known.filter((each) => each.reading === reading && each.size === size))
        if ((await digestOf(context.reader.pieces(path, known), context)) === known.digest) return known.columns;
      const { columns, end, digest } = await readColumns(path, size, rows, context);
      this.#known.push({ reading, size, end, digest, columns });
      return columns;
    } catch {
      // An unreadable dataset, or an encoding that only the run knows: the run reports it with its line.
      return undefined;
    }
  }
}

async function readColumns(
  path: string,
  size: number,
  rows: RowSource,
  context: CompileContext,
): Promise<Pick<Known, 'end' | 'digest' | 'columns'>> {
  const isHead = size > TIMES * context.reader.limit;
  if (isHead && rows.format !== 'csv') throw new RangeError('too large to be looked through');
  const read = sha256(context);
  let end = 0;
  const noted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of context.reader.pieces(path, isHead ? { end: FIRST_LINES } : {})) {
      read.update(bytes);
      end += bytes.length;
      yield bytes;
    }
  };
  // A broken dataset has no columns: the run reports it with its line.
  const columns = await columnTypes(textOf(noted(), rows.encoding ?? 'utf-8'), rows, isHead).catch(() => undefined);
  return { columns, end, digest: read.hex() };
}

async function digestOf(pieces: AsyncIterable<Uint8Array>, context: CompileContext): Promise<string> {
  const digest = sha256(context);
  for await (const bytes of pieces) digest.update(bytes);
  return digest.hex();
}

function sha256({ host }: CompileContext): Digest {
  const digest = host.digest('sha256');
  if (digest === undefined) throw new Error('the host has no SHA-256');
  return digest;
}

/** Text of a file, without the mark that it may begin with. */
async function* textOf(pieces: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const reading = readingOf(plainName(encoding));
  if (reading === undefined) throw new TypeError(encoding);
  const decoder = openDecoder(reading, false);
  let isBegun = false;
  for await (const bytes of pieces) {
    const text = decoder.decode(bytes);
    yield isBegun ? text : text.replace(/^\ufeff/, '');
    isBegun ||= text !== '';
  }
  yield decoder.end();
}
