import type { CompressionCodec, DataPageHeader, FileMetaData, PageHeader, SchemaTree } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';

import { checkRuns } from './check-runs.ts';
import { mostBytes, unpackers, type Unpack } from './codecs.ts';
import { GroupBytes } from './group-bytes.ts';
import { writtenOut } from './shared-beginnings.ts';

export interface MostOf {
  /** Values of a column of one row group. */
  readonly values: number;
  /** Bytes of a row group once it is unpacked. */
  readonly bytes: number;
}

/** Facts about a column chunk. */
interface Chunk {
  readonly group: number;
  readonly start: number;
  readonly size: number;
  readonly codec: CompressionCodec;
  readonly values: number;
  readonly isBoolean: boolean;
  readonly repetition: number;
  readonly definition: number;
}

type SecondHeader = NonNullable<PageHeader['data_page_header_v2']>;
type Check = (view: DataView) => void;

/** A page in the bytes of its column. */
interface Page {
  readonly view: DataView;
  readonly begin: number;
  readonly size: number;
  /** Checks of parts that are still packed, by their first byte. */
  readonly checks: Map<number, Check>;
  /** Hears how many bytes its values have that do not stand in it one by one. */
  readonly grows: Grows;
}

type Grows = (bytes: number) => void;

/**
 * Looks through the pages of a column before the library reads them: it believes what a page says of its size, and a
 * damaged or hostile one would make it run in circles or take all memory.
 */
export class PageGuard {
  readonly unpackers: Readonly<Partial<Record<CompressionCodec, Unpack>>>;
  readonly #chunks: ReadonlyMap<number, Chunk>;
  readonly #bytes: GroupBytes;
  /** Checks of pages that are still packed, by buffer and offset. */
  readonly #packed = new WeakMap<ArrayBufferLike, Map<number, Check>>();

  constructor(metadata: FileMetaData, tree: SchemaTree, { values, bytes }: MostOf) {
    const chunks = chunksOf(metadata, tree, values);
    this.#bytes = new GroupBytes(bytes);
    this.#chunks = new Map(chunks.map((chunk) => [chunk.start, chunk]));
    if (this.#chunks.size < chunks.length) throw new RangeError('two columns that begin at one place');
    this.unpackers = Object.fromEntries(
      Object.entries(unpackers).map(([codec, unpack]) => [
        codec,
        (packed: Uint8Array, length: number) => this.#unpacked(packed, unpack(packed, length)),
      ]),
    );
  }

  /** The bytes of a file from a place on, which are looked through as soon as they are those of one column. */
  guarded(start: number, buffer: ArrayBuffer): ArrayBuffer {
    this.#look(start, buffer);
    // The library fetches columns that lie side by side in one, and parts them then.
    const slice = (from?: number, to?: number): ArrayBuffer =>
      this.guarded(start + (from ?? 0), ArrayBuffer.prototype.slice.call(buffer, from ?? 0, to));
    return Object.assign(buffer, { slice });
  }

  #look(start: number, buffer: ArrayBuffer): void {
    const chunk = this.#chunks.get(start);
    if (!chunk || buffer.byteLength > chunk.size) return;
    bounded(chunk.size, buffer.byteLength);
    const view = new DataView(buffer);
    const reader = { view, offset: 0 };
    const checks = new Map<number, Check>();
    let values = 0;
    // As the library does, which takes a last byte for nothing.
    while (reader.offset < view.byteLength - 1) {
      const header = parquetHeader(reader);
      const begin = reader.offset;
      const size = bounded(header.compressed_page_size, view.byteLength - begin);
      this.#bytes.add(chunk.group, `${start + begin}`, bounded(header.uncompressed_page_size, mostBytes));
      values += pageValues(header, chunk);
      bounded(values, chunk.values);
      this.#plan(header, chunk, {
        view,
        begin,
        size,
        checks,
        grows: (bytes) => this.#bytes.add(chunk.group, `${start + begin} written out`, bytes),
      });
      reader.offset = begin + size;
    }
    this.#packed.set(buffer, checks);
  }

  #plan(
    { data_page_header: first, data_page_header_v2: second }: PageHeader,
    chunk: Chunk,
    { view, begin, size, checks, grows }: Page,
  ): void {
    const part = (from: number): DataView => new DataView(view.buffer, begin + from, size - from);
    if (first) {
      const check: Check = (page) => checkFirst(page, first, chunk, grows);
      if (chunk.codec === 'UNCOMPRESSED') check(part(0));
      else checks.set(begin, check);
    }
    if (second) {
      const levels = levelsOf(second, size);
      if (chunk.repetition > 0) checkRuns(part(0), 0, widthOf(chunk.repetition), second.num_values);
      if (chunk.definition > 0)
        checkRuns(part(second.repetition_levels_byte_length), 0, widthOf(chunk.definition), second.num_values);
      const check: Check = (page) => checkValues(page, 0, second, { chunk, grows });
      if (chunk.codec === 'UNCOMPRESSED' || second.is_compressed === false) check(part(levels));
      else checks.set(begin + levels, check);
    }
  }

  #unpacked(packed: Uint8Array, page: Uint8Array): Uint8Array {
    this.#packed.get(packed.buffer)?.get(packed.byteOffset)?.(
      new DataView(page.buffer, page.byteOffset, page.byteLength),
    );
    return page;
  }
}

function chunksOf({ row_groups: groups }: FileMetaData, tree: SchemaTree, mostValues: number): readonly Chunk[] {
  const depths = depthsOf(tree);
  return groups
    .filter(({ num_rows: rows }) => rows > 0n)
    .flatMap(({ columns }, group) =>
      columns.flatMap(({ meta_data: facts }) => {
        if (!facts) return [];
        // Some writers say 0 where there is no dictionary.
        const start = Number(facts.dictionary_page_offset || facts.data_page_offset);
        return [
          {
            group,
            start,
            size: Number(facts.total_compressed_size),
            codec: facts.codec,
            values: bounded(Number(facts.num_values), mostValues),
            isBoolean: facts.type === 'BOOLEAN',
            ...depthAt(depths, facts.path_in_schema),
          },
        ];
      }),
    );
}

type Depth = Pick<Chunk, 'repetition' | 'definition'>;

/** Depths of all columns, by the names on the way to them: a file may have very many. */
function depthsOf(tree: SchemaTree): ReadonlyMap<string, Depth> {
  const depths = new Map<string, Depth>();
  const visit = ({ children }: SchemaTree, way: readonly string[], { repetition, definition }: Depth): void => {
    for (const child of children) {
      const { name, repetition_type: type } = child.element;
      const depth = {
        repetition: repetition + Number(type === 'REPEATED'),
        definition: definition + Number(type !== 'REQUIRED'),
      };
      const names = [...way, name];
      if (child.children.length === 0) depths.set(JSON.stringify(names), depth);
      else visit(child, names, depth);
    }
  };
  visit(tree, [], { repetition: 0, definition: 0 });
  return depths;
}

function depthAt(depths: ReadonlyMap<string, Depth>, path: readonly string[]): Depth {
  const depth = depths.get(JSON.stringify(path));
  if (!depth) throw new TypeError('a column that the schema does not have');
  return depth;
}

/** Values of the column in a page. */
function pageValues(
  {
    type,
    uncompressed_page_size: size,
    data_page_header: first,
    data_page_header_v2: second,
    dictionary_page_header: dictionary,
  }: PageHeader,
  chunk: Chunk,
): number {
  if (type === 'DICTIONARY_PAGE') {
    bounded(dictionary?.num_values, size);
    return 0;
  }
  if (second) {
    bounded(second.num_nulls, bounded(second.num_values, chunk.values));
    bounded(second.num_rows, second.num_values);
  }
  return bounded((first ?? second)?.num_values, chunk.values);
}

function levelsOf(
  { repetition_levels_byte_length: repetition, definition_levels_byte_length: definition }: SecondHeader,
  size: number,
): number {
  return bounded(bounded(repetition, size) + bounded(definition, size), size);
}

function checkFirst(page: DataView, header: DataPageHeader, chunk: Chunk, grows: Grows): void {
  let at = 0;
  for (const level of [chunk.repetition, chunk.definition]) {
    if (level === 0) continue;
    const length = page.getUint32(at, true);
    checkRuns(page, at + 4, widthOf(level), header.num_values);
    at += 4 + length;
  }
  checkValues(page, at, header, { chunk, grows });
}

function checkValues(
  page: DataView,
  at: number,
  { encoding, num_values: count }: Pick<DataPageHeader, 'encoding' | 'num_values'>,
  { chunk, grows }: { readonly chunk: Chunk; readonly grows: Grows },
): void {
  if (at >= page.byteLength) return;
  if (encoding === 'DELTA_BYTE_ARRAY') grows(writtenOut(page, at, count));
  else if (chunk.isBoolean && encoding === 'RLE') checkRuns(page, at + 4, 1, count);
  else if (encoding === 'RLE' || encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') {
    const width = page.getUint8(at);
    if (width > 0) checkRuns(page, at + 1, width, count);
  }
}

function widthOf(level: number): number {
  return 32 - Math.clz32(level);
}

function bounded(value: number | undefined, most: number): number {
  if (value === undefined || !Number.isInteger(value) || value < 0 || value > most)
    throw new RangeError(`${value} where at most ${most} can be`);
  return value;
}
