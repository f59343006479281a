declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly zip: ZipPort;
  }
}

/** ZIP archives: deflated or stored members, of any size, plain or encrypted. */
export interface ZipPort {
  /** Reads the list of members, at most so many. Close it on every path. */
  open(path: string, options: ZipOpenOptions): Promise<ZipArchive>;
  /** Writes an archive whole or not at all; missing parent folders are made. */
  write(path: string, sources: readonly ZipSource[], options: ZipWriteOptions): Promise<void>;
  /** Opens encrypted members of this archive from now on, in this unit. */
  remember(path: string, password: string): void;
}

export interface ZipOpenOptions {
  readonly entries: number;
}

export interface ZipArchive {
  /** Members in the order of the archive's list. */
  readonly members: readonly ZipMember[];
  close(): Promise<void>;
}

export interface ZipMember {
  /** Name as stored; folders end with a slash. */
  readonly name: string;
  /** A `link` leads elsewhere, `other` is a device or a pipe. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  readonly packedSize: number;
  /** Encryption may hide it. */
  readonly crc: number | undefined;
  readonly isEncrypted: boolean;
  /** Unix permission bits, where the archive has them. */
  readonly mode: number | undefined;
  /** Milliseconds since 1970; archives that store local time only are read in this machine's zone. */
  readonly modifiedMs: number;
  /**
   * ISO 8601: UTC where the archive says so, else the local time that it stores, without a zone; undefined where it
   * stores none.
   */
  readonly modifiedAt: string | undefined;
  /** Characters that divide folders in the name: archives of DOS and Windows write either. */
  readonly separators: '/' | '/\\';
  /** Fails unless the password opens it, before anything is read. */
  unlock(password: string | undefined): Promise<void>;
  /** The content, checked against the size and the checksum that the archive records. */
  content(options: ZipContentOptions): AsyncIterable<Uint8Array>;
}

export interface ZipContentOptions {
  /** Beside what `remember` knows. */
  readonly password: string | undefined;
  readonly signal: AbortSignal;
}

/** A file or a folder to pack. */
export interface ZipSource {
  /** Name with `/` between its parts. */
  readonly name: string;
  /** The file with the content; absent for a folder. */
  readonly path?: string;
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
}

export interface ZipWriteOptions {
  readonly durable: boolean;
  readonly signal: AbortSignal;
  /** Told of each piece of a source that was read: so many bytes more. */
  readonly onBytes?: (bytes: number) => void;
}
