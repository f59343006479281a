import type { OpenFile } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly parquet: ParquetPort;
  }
}

/** Reads and writes Parquet files without losing precision on the way to JSON and back. */
export interface ParquetPort {
  /** Reads what stands at the end of a file. The file stays open until its caller closes it. */
  open(file: OpenFile, path: string): Promise<ParquetFile>;
  /** The bytes of a file, a row group for each batch. Fails where a value does not fit the type of its column. */
  write(batches: AsyncIterable<Batch>, options: ParquetWriteOptions): AsyncIterable<Uint8Array>;
}

export interface ParquetFile {
  /** Names of the columns, as they stand in the file. */
  readonly columns: readonly string[];
  readonly rows: number;
  /** Rows in order, a row group at a time; what is not asked for is not read. */
  read(options: {
    readonly columns?: readonly string[];
    readonly from: number;
    readonly to: number;
  }): AsyncIterable<readonly Readonly<Record<string, Json>>[]>;
}

/** The values of every column, in the order of the columns; all of one length. Absent ones are null. */
export type Batch = readonly (readonly Json[])[];

export interface ParquetWriteOptions {
  readonly columns: readonly ParquetColumn[];
  readonly compression: Compression;
}

export type Compression = 'none' | 'snappy' | 'gzip' | 'zstd' | 'brotli';

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

/**
 * `integer`: 64 bits; a number, or text where a number would not be exact. `number`: a double; `NaN`, `Infinity` and
 * `-Infinity` as text. `date`: `2024-01-31`. `timestamp`: text with a zone, to the microsecond; `local-timestamp`:
 * without. `decimal`: text or a number. `binary`: base64.
 */
export type ParquetType =
  | {
      readonly kind:
        | 'text'
        | 'boolean'
        | 'integer'
        | 'number'
        | 'date'
        | 'timestamp'
        | 'local-timestamp'
        | 'json'
        | 'binary';
    }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'list'; readonly of: ParquetType }
  | { readonly kind: 'struct'; readonly fields: readonly ParquetColumn[] };
