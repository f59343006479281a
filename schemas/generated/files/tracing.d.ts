// Generated from stdlib/files/reporting/tracing/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Switch on tracing of actions. */
  FA_tracing_init: {
    params: {
      /** Service name on all spans. */
      service_name: string
      /** `otlp`, the address of an OTLP/HTTP collector, or `file#export` that yields an exporter; spans are dropped when left out. */
      exporter: (string | null)
      /** Extra attributes on all spans. */
      resource_attributes: {
        [k: string]: unknown
      } | null
    }
    /** true when this call switched tracing on */
    result: boolean
  }
  /** Flush pending spans and switch tracing off. */
  FA_tracing_shutdown: {
    params: {
      /** Longest wait in seconds. */
      timeout: number
    }
    /** true when tracing was on */
    result: boolean
  }
}
