// Generated from stdlib/files/copies/backup/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Thin out old backup files by age. */
  FA_rotate_backups: {
    params: {
      /** Folder with the backups; sub-folders are ignored. */
      directory: string
      /** Shell glob for file names that take part. */
      pattern: string
      /** Days to keep; 0 switches this off. */
      keep_daily: number
      /** ISO weeks to keep; 0 switches this off. */
      keep_weekly: number
      /** Months to keep; 0 switches this off. */
      keep_monthly: number
      /** Years to keep; 0 switches this off. */
      keep_yearly: number
      /** Only report. */
      dry_run: boolean
    }
    /** paths kept and deleted, the newest first; errors are [path, message] pairs of what was due and is still there */
    result: {
      kept: ReadonlyArray<string>
      deleted: ReadonlyArray<string>
      errors: ReadonlyArray<[string, string]>
      dry_run: boolean
    }
  }
}
