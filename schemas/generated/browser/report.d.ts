// Generated from stdlib/browser/reporting/report/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Write every report format under one base name. */
  WR_generate_all_reports: {
    params: {
      /** Path without ending. */
      base_name: string
      /** Folder for the result-file format; null skips it. */
      reportfmt_dir: (string | null)
      /** true writes a manifest next to the reports. */
      write_manifest: boolean
    }
    /** Files per format, errors per format, path of the manifest. */
    result: {
      produced: {
        [k: string]: ReadonlyArray<string>
      }
      errors: {
        [k: string]: string
      }
      manifest_path: (string | null)
    }
  }
  /** Build the HTML report as text. */
  WR_generate_html: {
    params: {}
    /** Complete HTML document. */
    result: string
  }
  /** Write the HTML report. */
  WR_generate_html_report: {
    params: {
      /** Path without ending. */
      html_name: string
    }
    result: null | undefined | void
  }
  /** Split the step record into passed and failed steps. */
  WR_generate_json: {
    params: {}
    /**
     * Pair of passed steps and failed steps.
     *
     * @minItems 2
     * @maxItems 2
     */
    result: [{
      [k: string]: {
        function_name: string
        param: string
        time: string
        exception: string
        step: string
      }
    }, {
      [k: string]: {
        function_name: string
        param: string
        time: string
        exception: string
        step: string
      }
    }]
  }
  /** Write the passed and failed steps as two JSON files. */
  WR_generate_json_report: {
    params: {
      /** Path without ending. */
      json_file_name: string
    }
    result: null | undefined | void
  }
  /** Build a JUnit report as text. */
  WR_generate_junit_xml: {
    params: {}
    /** XML without declaration. */
    result: string
  }
  /** Write the JUnit report. */
  WR_generate_junit_xml_report: {
    params: {
      /** Path without ending. */
      junit_file_name: string
    }
    result: null | undefined | void
  }
  /** Build the passed and failed steps as XML texts. */
  WR_generate_xml: {
    params: {}
    /**
     * Pair of XML texts, passed and failed.
     *
     * @minItems 2
     * @maxItems 2
     */
    result: [string, string]
  }
  /** Write the passed and failed steps as two XML files. */
  WR_generate_xml_report: {
    params: {
      /** Path without ending. */
      xml_file_name: string
    }
    result: null | undefined | void
  }
  /** Build the test cases of the result-file format. */
  WR_generate_reportfmt: {
    params: {}
    /** One test case a file of actions. */
    result: ReadonlyArray<{
      uuid: string
      historyId: string
      testCaseId: string
      name: string
      fullName: string
      status: ("failed" | "passed")
      stage: "finished"
      start: number
      stop: number
      steps: ReadonlyArray<{
        [k: string]: unknown
      }>
      attachments: ReadonlyArray<{
        [k: string]: unknown
      }>
      parameters: ReadonlyArray<{
        [k: string]: unknown
      }>
      statusDetails: {
        message?: string
      }
      labels: ReadonlyArray<{
        [k: string]: unknown
      }>
    }>
  }
  /** Write the test cases of the result-file format. */
  WR_generate_reportfmt_report: {
    params: {
      /** Folder, created when missing. */
      output_dir: string
    }
    /** Paths that were written. */
    result: ReadonlyArray<string>
  }
  /** List the report files that a base name leads to. */
  WR_report_expected_paths: {
    params: {
      /** Path without ending. */
      base_name: string
      /** Folder of the result-file format. */
      reportfmt_dir: (string | null)
    }
    result: {
      [k: string]: ReadonlyArray<string>
    }
  }
}
