// Generated from stdlib/api/tools/import/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Turn a cURL command line into an action. */
  AT_curl_to_action: {
    params: {
      /** Command line that starts with curl. */
      curl_command: string
    }
    /**
     * one AT_test_api_method action
     *
     * @minItems 2
     * @maxItems 2
     */
    result: ["AT_test_api_method", {
      [k: string]: unknown
    }]
  }
  /** Turn a HAR file of browser traffic into actions. */
  AT_convert_har: {
    params: {
      /** HAR file. */
      file_path: string
    }
    /** one AT_test_api_method action per entry */
    result: ReadonlyArray<["AT_test_api_method", {
      [k: string]: unknown
    }]>
  }
}
