// Generated from stdlib/files/reporting/metrics/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Render all metrics in the text exposition format. */
  FA_metrics_render: {
    params: {}
    /** metrics text */
    result: string
  }
}
