/** A tree that is compared with its manifest. */
export interface CheckedTree {
  readonly root: string;
  readonly manifest_path: string;
  /** Whether an extra file is drift. */
  readonly alert_on_extra: boolean;
}

/** A tree that is compared again and again. */
export interface MonitorSettings extends CheckedTree {
  /** Seconds between the end of a check and the next one; also before the first. */
  readonly interval: number;
}

/** Result of a comparison: paths below the root, by what became of them. */
export interface CheckSummary {
  readonly matched: string[];
  readonly missing: string[];
  readonly modified: string[];
  readonly extra: string[];
  /**
   * False on drift: something is missing, modified, or extra where that was asked for, or nothing could be compared.
   */
  readonly ok: boolean;
  /** Reason why nothing could be compared, or the first file that could not be read. */
  readonly error?: string;
}
