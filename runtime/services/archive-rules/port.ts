import type { Host } from '#schemas/types/host.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly archiveRules: ArchiveRules;
  }
}

/** Limits of one unpacking, whatever the format; configuration `limits.archive_…`. */
export interface ArchiveRules {
  readonly entries: number;
  /** Bytes unpacked. */
  readonly bytes: number;
  /** Bytes unpacked for each byte packed, beyond the first 10 MiB. */
  readonly ratio: number;
  /** Bytes of a member that is read into memory. */
  readonly readBytes: number;
  /** Decides which names are refused beside those that every system refuses. */
  readonly platform: Host['platform'];
}
