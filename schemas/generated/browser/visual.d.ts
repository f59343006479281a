// Generated from stdlib/browser/checks/visual/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Save the current page as the baseline image. */
  WR_visual_capture_baseline: {
    params: {
      /** PNG file to write. */
      baseline_path: string
    }
    /** the given path */
    result: string
  }
  /** Compare the current page with the baseline image. */
  WR_visual_compare: {
    params: {
      /** PNG baseline. */
      baseline_path: string
      /** Where to write the difference image. */
      diff_path?: (string | null)
      /** Where to keep the current image. */
      current_path?: (string | null)
      /** Number of differing pixels to tolerate. */
      threshold: number
    }
    /** outcome of the comparison */
    result: {
      match: boolean
      pixel_diff: number
      diff_image_path: (string | null)
      baseline_size?: ReadonlyArray<number>
      current_size?: ReadonlyArray<number>
      reason?: string
    }
  }
}
