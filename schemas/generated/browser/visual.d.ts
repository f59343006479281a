// Generated from stdlib/browser/checks/visual/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Save the current page as the baseline image. */
  WR_visual_capture_baseline: {
    params: {
      /** PNG file to write. */
      baseline_path: string
      /** Replace a baseline that is there. */
      overwrite: boolean
      /** A baseline for each browser and system: `shop-chrome-linux.png` for `shop.png`. */
      per_platform: boolean
      /** Engine of the page: `playwright` for one of `WR_pw_` commands. */
      engine: ("webdriver" | "playwright")
    }
    /** path of the file */
    result: string
  }
  /** Compare the current page with the baseline image. */
  WR_visual_compare: {
    params: {
      /** PNG baseline. */
      baseline_path: string
      /** Path for the difference image. */
      diff_path?: (string | null)
      /** Path for the current image. */
      current_path?: (string | null)
      /** Number of differing pixels to tolerate. */
      threshold: number
      /** Greatest distance of colours: 0 is none, 0.1 is hardly to be seen. */
      color_tolerance: number
      /** Points that differ only by how edges were smoothed do not count. */
      ignore_antialiasing: boolean
      /** Parts of the picture that do not count: in its points, or all elements that a CSS selector finds, `{ css: "#clock" }`. */
      ignore_regions?: (ReadonlyArray<{
        x: number
        y: number
        width: number
        height: number
      } | {
        css: string
      }> | null)
      /** Fail where the page does not match. */
      must_match: boolean
      /** A baseline for each browser and system: `shop-chrome-linux.png` for `shop.png`. */
      per_platform: boolean
      /** Engine of the page: `playwright` for one of `WR_pw_` commands. */
      engine: ("webdriver" | "playwright")
    }
    /** outcome of the comparison */
    result: {
      match: boolean
      pixel_diff: number
      diff_image_path: (string | null)
      baseline_size?: ReadonlyArray<number>
      current_size?: ReadonlyArray<number>
      reason?: string
      /** only with --update-snapshots */
      baseline?: ("created" | "updated")
    }
  }
}
