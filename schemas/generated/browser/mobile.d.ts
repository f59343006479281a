// Generated from stdlib/browser/integrations/mobile/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Build capabilities for an Android session. */
  WR_mobile_android_caps: {
    params: {
      /** App file or address. */
      app: string
      /** Device. */
      device_name: string
      /** System version. */
      platform_version: string
      /** Automation driver. */
      automation_name: string
      /** Capabilities merged over the result. */
      extra: {
        [k: string]: unknown
      } | null
    }
    /** Capabilities object. */
    result: {
      [k: string]: unknown
    }
  }
  /** Build capabilities for an iOS session. */
  WR_mobile_ios_caps: {
    params: {
      /** App file or address. */
      app: string
      /** Device. */
      device_name: string
      /** System version. */
      platform_version: string
      /** Automation driver. */
      automation_name: string
      /** Capabilities merged over the result. */
      extra: {
        [k: string]: unknown
      } | null
    }
    /** Capabilities object. */
    result: {
      [k: string]: unknown
    }
  }
  /** Open a mobile session. */
  WR_mobile_start: {
    params: {
      /** Address of the mobile automation server. */
      server_url: string
      /** Session capabilities. */
      capabilities: {
        [k: string]: unknown
      }
      /** true makes the session the current one. */
      register: boolean
    }
    /** Handle of the mobile session. */
    result: {
      [k: string]: unknown
    }
  }
  /** Close the session that is current, mobile or not. */
  WR_mobile_quit: {
    params: {}
    result: null | undefined | void
  }
}
