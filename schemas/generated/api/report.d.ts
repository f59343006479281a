// Generated from stdlib/api/reports/report/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Build the HTML fragments of the current records. */
  AT_generate_html: {
    params: {}
    /** list of success tables, then list of failure tables */
    result: ReadonlyArray<ReadonlyArray<string>>
  }
  /** Write the HTML report of the current records. */
  AT_generate_html_report: {
    params: {
      /** File name without the .html ending. */
      html_file_name: string
    }
    result: null | undefined | void
  }
  /** Build the success and failure objects of the JSON report. */
  AT_generate_json: {
    params: {}
    /**
     * success object, then failure object
     *
     * @minItems 2
     * @maxItems 2
     */
    result: [{
      [k: string]: unknown
    }, {
      [k: string]: unknown
    }]
  }
  /** Write the JSON report of the current records as two files. */
  AT_generate_json_report: {
    params: {
      /** File name stem, without ending. */
      json_file_name: string
    }
    result: null | undefined | void
  }
  /** Build the success and failure XML texts of the current records. */
  AT_generate_xml: {
    params: {}
    /** success XML, then failure XML */
    result: ReadonlyArray<string>
  }
  /** Write the XML report of the current records as two files. */
  AT_generate_xml_report: {
    params: {
      /** File name stem, without ending. */
      xml_file_name: string
    }
    result: null | undefined | void
  }
  /** Write the records as an xUnit-style XML file for build servers. */
  AT_generate_junit_report: {
    params: {
      /** File to write. */
      file_name: string
      /** Name of the test suite, used as class name too. */
      suite_name: string
    }
    /** Path of the file that was written. */
    result: string
  }
  /** Write the records as a directory of test-report-format result files. */
  AT_generate_reportfmt_report: {
    params: {
      /** Directory to write into; created when missing. */
      directory: string
    }
    /** paths of the result files */
    result: ReadonlyArray<string>
  }
  /** Render the current records as Markdown text. */
  AT_render_markdown: {
    params: {
      /** First-level heading. */
      title: string
    }
    /** Markdown text */
    result: string
  }
  /** Write the Markdown report to a file. */
  AT_generate_markdown_report: {
    params: {
      /** File to write. */
      file_name: string
      /** First-level heading; the default of AT_render_markdown when left out. */
      title: (string | null)
    }
    /** Path of the file that was written. */
    result: string
  }
  /** Write the JSON that a badge service reads to draw a pass/fail badge. */
  AT_generate_badge: {
    params: {
      /** File to write. */
      file_name: string
      /** Left-hand text of the badge. */
      label: string
    }
    /** Path of the file that was written. */
    result: string
  }
  /** Compare the failure files of two runs. */
  AT_diff_runs: {
    params: {
      /** Failure file of the earlier run. */
      previous_failure_json: string
      /** Failure file of the later run. */
      current_failure_json: string
    }
    /** names per kind of change, each list sorted */
    result: {
      new_failures: ReadonlyArray<string>
      new_passes: ReadonlyArray<string>
      still_failing: ReadonlyArray<string>
      still_passing: ReadonlyArray<string>
    }
  }
}
