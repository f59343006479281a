declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly tar: TarPort;
  }
}

/** Tar archives without compression, from bytes and to bytes: one member after the other, in constant memory. */
export interface TarPort {
  /**
   * The members in the order of the archive: POSIX (pax), GNU, old UNIX, sparse files of all kinds. The unread
   * rest of a member is passed over when the next is asked for. Fails where the archive is damaged or has no
   * end; `path` is for that.
   */
  read(bytes: AsyncIterable<Uint8Array>, path: string): AsyncIterable<TarMember>;
  /**
   * Fails with what reading a source failed with, and where a source does not have the size that was said. Each chunk
   * is good until the next one is asked for.
   */
  write(sources: Iterable<TarSource> | AsyncIterable<TarSource>): AsyncIterable<Uint8Array>;
  /** Whether a block of 512 bytes can begin a tar archive. */
  isHeader(block: Uint8Array): boolean;
}

export interface TarMember {
  /** Bytes that are no UTF-8 stand as in names of the disk. */
  readonly name: string;
  /** `other` is a device, a pipe, or something that this reader does not know. */
  readonly kind: 'file' | 'folder' | 'symlink' | 'hard-link' | 'other';
  /** Size (bytes) of the unpacked content, holes included. */
  readonly size: number;
  readonly mode: number;
  /** Milliseconds since 1970, with fractions where the archive has them. */
  readonly modifiedMs: number;
  /** Target of a link, or the earlier member that a hard link names. */
  readonly target?: string;
  /** Exactly `size` bytes; holes as zeros. To be read before the next member, and each chunk before the next chunk. */
  content(): AsyncIterable<Uint8Array>;
}

/** A file, folder or link to pack; sources are stored in the order in which they come. */
export interface TarSource {
  /** Name with `/` between its parts, none at the end. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'symlink' | 'hard-link';
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
  readonly target?: string;
  /** Path of the file on the disk: fewer or more bytes than `size` are a failure that names it. */
  readonly path?: string;
  content?(): AsyncIterable<Uint8Array>;
}
