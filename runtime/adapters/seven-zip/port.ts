declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly sevenZip: SevenZipPort;
  }
}

/**
 * Work that only 7-Zip does: reading 7z and RAR, writing xz and bzip2. Its package is optional; without it
 * every call fails and names it.
 */
export interface SevenZipPort {
  /** All members in their order, without content. */
  list(path: string, options: SevenZipOptions & { readonly format: '7z' | 'rar' }): Promise<readonly SevenZipMember[]>;
  /**
   * The content of all members that are files, one behind the other in the order of the list, checked against the sums
   * of the archive.
   */
  contents(path: string, options: SevenZipOptions & { readonly format: '7z' | 'rar' }): AsyncIterable<Uint8Array>;
  compress(format: 'xz' | 'bz2', bytes: AsyncIterable<Uint8Array>, options: SevenZipOptions): AsyncIterable<Uint8Array>;
}

export interface SevenZipOptions {
  /** The command that asks, for the failure that names the package. */
  readonly command: string;
  readonly signal: AbortSignal;
}

export interface SevenZipMember {
  readonly name: string;
  /** `other` is a link, a device, an alternate stream, or a mark that something was removed. */
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly mode: number | undefined;
  readonly modifiedMs: number | undefined;
}
