import type { Problem } from '#grammar/language/problem.ts';

/** Address of a file. */
export interface StorageUri {
  /** Scheme in small letters; empty for a path of this machine. */
  readonly scheme: string;
  readonly user?: string;
  readonly password?: string;
  /** Host, bucket, container or share, as it was written; IPv6 in brackets. */
  readonly host?: string;
  readonly port?: number;
  /**
   * Path as it was written, with the slash before it where there is one; behind a scheme of paths all that
   * follows its `//` or its colon.
   */
  readonly path: string;
}

export type StorageUriProblemKey =
  | 'character'
  | 'empty'
  | 'host'
  | 'incomplete'
  | 'port'
  | 'scheme'
  | 'slashes'
  | 'unreadable'
  | 'without-scheme';
export type StorageUriProblem = Problem<StorageUriProblemKey>;

export interface ParsedStorageUri {
  /** Absent where there is a problem. */
  readonly uri?: StorageUri;
  readonly problems: readonly StorageUriProblem[];
}

export const HIGHEST_PORT = 65_535;
