// Generated from stdlib/browser/authoring/pom/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Generate a page-object class from HTML text. */
  WR_generate_pom_from_html: {
    params: {
      /** HTML text. */
      html: string
      /** Name of the generated class. */
      class_name: string
    }
    /** source text */
    result: string
  }
  /** Generate a page-object class from a web page. */
  WR_generate_pom_from_url: {
    params: {
      /** Page address. */
      url: string
      /** Name of the generated class. */
      class_name: string
      /** Limit in seconds. */
      timeout: number
    }
    /** source text */
    result: string
  }
  /** Write generated source text to a file. */
  WR_write_pom_to_file: {
    params: {
      /** Source text. */
      source: string
      /** File to write. */
      output_path: string
      /** Replace a file that is there. */
      overwrite: boolean
    }
    /** the given path */
    result: string
  }
}
