// Generated from stdlib/files/safety/manifest/commands.yaml by `npm run generate`. Do not edit.
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
      root: string
      created_at: string
      files: {
        [k: string]: {
          size: number
          checksum: string
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
    /** paths per outcome and the verdict */
    result: {
      matched: ReadonlyArray<string>
      missing: ReadonlyArray<string>
      modified: ReadonlyArray<string>
      extra: ReadonlyArray<string>
      ok: boolean
    }
  }
}
