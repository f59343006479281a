/** Member of an archive of any format: its facts and its content. */
export interface Member {
  /** Name as stored. */
  readonly name: string;
  /** `other` is a device, a pipe, or a link of a format whose links are not unpacked. */
  readonly kind: 'file' | 'folder' | 'symlink' | 'hard-link' | 'other';
  readonly separators: '/' | '/\\';
  readonly size: number;
  /** Unix permission bits, where the archive has them. */
  readonly mode: number | undefined;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number | undefined;
  /** Target of a link: text for a symbolic link, the name of an earlier member for a hard link. */
  readonly target?: string;
  /**
   * Exactly `size` bytes. In archives that are read from one end to the other it must be read before the next
   * member.
   */
  content(): AsyncIterable<Uint8Array>;
}

/** A member and its place below the target folder. */
export interface Placed {
  readonly member: Member;
  readonly parts: readonly string[];
}

/** The same on systems that fold letter case or accents. */
export function keyOf(parts: readonly string[]): string {
  return parts.join('/').normalize().toLowerCase();
}
