// Generated from stdlib/files/local/template/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Fill a template text with values. */
  FA_template_render: {
    params: {
      /** Template text. */
      template: string
      /** Values by name. */
      context: {
        [k: string]: unknown
      }
      /** Use the rich engine with loops and filters. */
      rich: boolean
      /** HTML-escape inserted values in the rich engine. */
      autoescape: boolean
    }
    /** rendered text */
    result: string
  }
  /** Fill a template file and optionally write the outcome. */
  FA_template_render_file: {
    params: {
      /** Template file, UTF-8. */
      template_path: string
      /** Values by name. */
      context: {
        [k: string]: unknown
      }
      /** File to write; missing folders are created. */
      output_path: (string | null)
      /** Force or forbid the rich engine; by suffix when left out. */
      rich: (boolean | null)
      /** Force or forbid escaping; by suffix when left out. */
      autoescape: (boolean | null)
    }
    /** rendered text */
    result: string
  }
}
