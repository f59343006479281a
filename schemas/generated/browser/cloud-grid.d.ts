// Generated from stdlib/browser/integrations/cloud-grid/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Open a session on the first cloud grid. */
  WR_connect_cloudgrid1: {
    params: {
      /** Account name. */
      username: string
      /** Account key. */
      access_key: string
      /** Session capabilities. */
      capabilities: {
        [k: string]: unknown
      } | null
      /** Hub address; without it the one of the configuration, else the public one of the provider. */
      hub_url: (string | null)
    }
    /** Handle of the remote session. */
    result: {
      [k: string]: unknown
    }
  }
  /** Open a session on the second cloud grid. */
  WR_connect_cloudgrid2: {
    params: {
      /** Account name. */
      username: string
      /** Account key. */
      access_key: string
      /** Session capabilities. */
      capabilities: {
        [k: string]: unknown
      } | null
      /** Hub address; without it the one of the configuration, else the public one of the provider. */
      hub_url: (string | null)
    }
    /** Handle of the remote session. */
    result: {
      [k: string]: unknown
    }
  }
  /** Open a session on the third cloud grid. */
  WR_connect_cloudgrid3: {
    params: {
      /** Account name. */
      username: string
      /** Account key. */
      access_key: string
      /** Session capabilities. */
      capabilities: {
        [k: string]: unknown
      } | null
      /** Hub address; without it the one of the configuration, else the public one of the provider. */
      hub_url: (string | null)
    }
    /** Handle of the remote session. */
    result: {
      [k: string]: unknown
    }
  }
  /** Build capabilities for the first cloud grid. */
  WR_cloudgrid1_capabilities: {
    params: {
      /** Browser. */
      browser_name: string
      /** Version or `latest`. */
      browser_version: string
      /** Operating system. */
      os_name: string
      /** Version of the operating system. */
      os_version: string
      /** Project label. */
      project: (string | null)
      /** Build label. */
      build: (string | null)
      /** Session label. */
      name: (string | null)
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
  /** Build capabilities for the second cloud grid. */
  WR_cloudgrid2_capabilities: {
    params: {
      /** Browser. */
      browser_name: string
      /** Version or `latest`. */
      browser_version: string
      /** Platform. */
      platform_name: string
      /** Build label. */
      build: (string | null)
      /** Session label. */
      name: (string | null)
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
  /** Build capabilities for the third cloud grid. */
  WR_cloudgrid3_capabilities: {
    params: {
      /** Browser; the default starts with a capital letter here. */
      browser_name: string
      /** Version or `latest`. */
      browser_version: string
      /** Platform. */
      platform_name: string
      /** Build label. */
      build: (string | null)
      /** Session label. */
      name: (string | null)
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
}
