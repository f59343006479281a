declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly csv: CsvPort;
  }
}

/** Reads rows of cells from text. Writing them needs no library. */
export interface CsvPort {
  /**
   * The rows of a text in order, blank lines left out; rows may have different numbers of cells. Rows end with LF, CR
   * LF or CR, and a cell in quotes may hold any of them. Fails, naming the file, where a quote stands wrong or a row
   * has no end.
   */
  rows(text: AsyncIterable<string>, options: CsvOptions): AsyncIterable<readonly string[]>;
}

export interface CsvOptions {
  /** Path for failures. */
  readonly path: string;
  /** One character. */
  readonly delimiter: string;
  /** Most characters of a row. */
  readonly longestRow: number;
  /** After so many rows the rest is not looked at; all where it is left out. */
  readonly most?: number;
}
