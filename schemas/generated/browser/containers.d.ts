// Generated from stdlib/browser/operations/containers/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Start any container image. */
  WR_tc_generic: {
    params: {
      /** Image name with tag. */
      image: string
      /** Container port to host port. */
      ports: {
        [k: string]: number
      } | null
      /** Environment variables. */
      environment: {
        [k: string]: string
      } | null
      /** Text in the log that says that it is ready. */
      wait_for_log: (string | null)
      /** Longest wait until it is ready. */
      start_timeout: number
    }
    /** Container handle */
    result: {
      id: string
      image: string
      host: string
      ports: {
        [k: string]: number
      }
      connection_url: string
    }
  }
  /** Start a temporary Postgres. */
  WR_tc_postgres: {
    params: {
      /** Image name with tag. */
      image: string
      /** Database user. */
      username: string
      /** Password. */
      password: string
      /** Database name. */
      dbname: string
      /** Longest wait until it answers. */
      start_timeout: number
    }
    /** Container handle; WR_db_query takes its connection_url. */
    result: {
      id: string
      image: string
      host: string
      ports: {
        [k: string]: number
      }
      connection_url: string
    }
  }
  /** Start a temporary Redis. */
  WR_tc_redis: {
    params: {
      /** Image name with tag. */
      image: string
      /** Longest wait until it answers. */
      start_timeout: number
    }
    /** Container handle */
    result: {
      id: string
      image: string
      host: string
      ports: {
        [k: string]: number
      }
      connection_url: string
    }
  }
  /** Count the containers that were started and not stopped. */
  WR_tc_started_count: {
    params: {}
    /** Number of containers. */
    result: number
  }
  /** Stop one container. */
  WR_tc_stop: {
    params: {
      /** Handle, or its id. */
      container: ({
        id: string
        image?: string
        host?: string
        ports?: {
          [k: string]: number
        }
        connection_url?: string
      } | string)
    }
    result: null | undefined | void
  }
  /** Stop every container that was started here. */
  WR_tc_cleanup_all: {
    params: {}
    result: null | undefined | void
  }
}
