import {
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type AsyncBuffer,
  type FileMetaData,
  type SchemaTree,
} from 'hyparquet';

import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { OpenFile } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';

import { columnDecoder } from './decode.ts';
import type { Decode } from './leaf.ts';
import { PageGuard } from './page-guard.ts';
import type { ParquetFile } from './port.ts';
import { ownName, standIn, withStandIns } from './stand-in.ts';
import { rawMetadata } from './raw-schema.ts';

export interface OpenOptions {
  readonly path: string;
  readonly mostRows: number;
  /** Largest row group (bytes), unpacked. */
  readonly mostBytes: number;
}

type Row = Readonly<Record<string, Json>>;

export async function openParquet(file: OpenFile, { path, mostRows, mostBytes }: OpenOptions): Promise<ParquetFile> {
  return await told(path, async () => {
    const buffer = bufferOf(file);
    const metadata = withStandIns(await parquetMetadataAsync(buffer, { geoparquet: false }));
    const tree = parquetSchema(metadata);
    refuseUnsafe(tree);
    const decoders = new Map(tree.children.map((child) => [ownName(child.element.name), columnDecoder(child)]));
    const raw = rawMetadata(metadata, tree);
    const groups = metadata.row_groups.map(({ num_rows }) => Number(num_rows));
    if (groups.some((rows) => rows > mostRows)) throw fail.parquetTooLarge({ path, limit: mostRows });
    const guard = new PageGuard(metadata, tree, { values: mostRows, bytes: mostBytes });
    return {
      columns: [...decoders.keys()],
      rows: groups.reduce((sum, rows) => sum + rows, 0),
      read: ({ columns = [...decoders.keys()], from, to }) =>
        readGroups(
          { buffer: guarded(buffer, guard), unpackers: guard.unpackers, raw, decoders, groups, path },
          columns,
          from,
          to,
        ),
    };
  });
}

interface Opened {
  readonly buffer: AsyncBuffer;
  readonly unpackers: PageGuard['unpackers'];
  readonly raw: FileMetaData;
  readonly decoders: ReadonlyMap<string, Decode>;
  readonly groups: readonly number[];
  readonly path: string;
}

async function* readGroups(
  opened: Opened,
  columns: readonly string[],
  from: number,
  to: number,
): AsyncGenerator<readonly Row[], void> {
  let start = 0;
  for (const rows of opened.groups) {
    const rowStart = Math.max(from, start);
    const rowEnd = Math.min(to, start + rows);
    start += rows;
    if (rowStart < rowEnd) yield await told(opened.path, async () => await readRows(opened, columns, rowStart, rowEnd));
    if (start >= to) return;
  }
}

async function readRows(
  { buffer, unpackers, raw, decoders, path }: Opened,
  columns: readonly string[],
  rowStart: number,
  rowEnd: number,
): Promise<readonly Row[]> {
  let found: readonly Readonly<Record<string, unknown>>[] = [];
  await parquetRead({
    file: buffer,
    metadata: raw,
    columns: columns.map(standIn),
    rowStart,
    rowEnd,
    rowFormat: 'object',
    utf8: false,
    geoparquet: false,
    compressors: unpackers,
    // Where a type is not taken off, a moment stays a number of units.
    parsers: { timestampFromNanoseconds: (nanos) => nanos },
    onComplete: (rows) => (found = rows),
  });
  if (found.length !== rowEnd - rowStart)
    throw fail.parquetUnreadable({ path, reason: `${found.length} of ${rowEnd - rowStart} rows` });
  const kept = columns.map((name) => [name, decoders.get(name) ?? (() => null)] as const);
  return found.map((row) => Object.fromEntries(kept.map(([name, decode]) => [name, decode(row[standIn(name)])])));
}

/** Names that would be lost on the way through the library, whose rows are objects. */
function refuseUnsafe({ children }: SchemaTree): void {
  if (new Set(children.map((child) => child.element.name)).size !== children.length)
    throw new TypeError('two columns have one name');
  children.forEach(refuseUnsafe);
}

function bufferOf(file: OpenFile): AsyncBuffer {
  return {
    byteLength: file.size,
    slice: async (start, end = file.size) => {
      const bytes = await file.readAt(start, Math.max(0, Math.min(end, file.size) - start));
      return bytes.slice().buffer;
    },
  };
}

/** A buffer whose bytes of a column are looked through before the library reads them. */
function guarded(buffer: AsyncBuffer, guard: PageGuard): AsyncBuffer {
  return {
    byteLength: buffer.byteLength,
    slice: (start, end) => {
      const bytes = Promise.resolve(buffer.slice(start, end)).then((found) => guard.guarded(start, found));
      // The library asks for all of them and waits for one after the other: it hears of the first that fails.
      bytes.catch(() => undefined);
      return bytes;
    },
  };
}

/** Runs `work`; errors of the library become failures that say what is wrong with the file. */
async function told<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isOfSystem = cause instanceof Error && 'syscall' in cause;
    if (cause instanceof Failure || isOfSystem) throw cause;
    throw fail.parquetUnreadable({ path, reason: cause instanceof Error ? cause.message : String(cause), cause });
  }
}
