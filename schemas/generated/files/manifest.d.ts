// Generated from stdlib/files/safety/manifest/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Record size and digest of every file in a tree. */
  FA_write_manifest: {
    params: {
      /** Folder to record. */
      root: string
      /** Manifest file to write. */
      manifest_path: string
      /** Digest name. */
      algorithm: string
    }
    /** the manifest */
    result: {
      version: 1
      algorithm: string
      /** absolute path when written; informative */
      root: string
      /** UTC */
      created_at: string
      files: {
        [k: string]: {
          size: number
          /** lower-case hex */
          checksum: string
          /** where a symbolic link leads; size and checksum are those of this text */
          link?: string
        }
      }
    }
  }
  /** Compare a tree with its manifest. */
  FA_verify_manifest: {
    params: {
      /** Folder to check. */
      root: string
      /** Manifest file. */
      manifest_path: string
    }
    /** sorted names per outcome and the verdict */
    result: {
      matched: ReadonlyArray<string>
      missing: ReadonlyArray<string>
      modified: ReadonlyArray<string>
      extra: ReadonlyArray<string>
      ok: boolean
    }
  }
}
