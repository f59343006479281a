// Generated from stdlib/browser/data/db/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Run a SQL query and yield its rows. */
  WR_db_query: {
    params: {
      /** Address such as `postgresql://user:pw@host/db`, `mariadb://…`, `sqlite:///file.db`, or the path of a SQLite file. */
      connection_url: string
      /** One statement with `:name` placeholders. */
      sql: string
      /** Placeholder name to value; a list stands for several values. */
      params: {
        [k: string]: unknown
      } | null
      /** Limit in seconds, for connecting and for the statement. */
      timeout: number
    }
    /** One object a row, by column. */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Fail when a query yields another number of rows. */
  WR_db_assert_count: {
    params: {
      /** Address such as `postgresql://user:pw@host/db`, `mariadb://…`, `sqlite:///file.db`, or the path of a SQLite file. */
      connection_url: string
      /** One statement with `:name` placeholders. */
      sql: string
      /** Expected number of rows. */
      expected: number
      /** Placeholder name to value; a list stands for several values. */
      params: {
        [k: string]: unknown
      } | null
      /** Limit in seconds, for connecting and for the statement. */
      timeout: number
    }
    result: null | undefined | void
  }
  /** Fail when a query yields any row. */
  WR_db_assert_empty: {
    params: {
      /** Address such as `postgresql://user:pw@host/db`, `mariadb://…`, `sqlite:///file.db`, or the path of a SQLite file. */
      connection_url: string
      /** One statement with `:name` placeholders. */
      sql: string
      /** Placeholder name to value; a list stands for several values. */
      params: {
        [k: string]: unknown
      } | null
      /** Limit in seconds, for connecting and for the statement. */
      timeout: number
    }
    result: null | undefined | void
  }
  /** Fail when a query yields no row. */
  WR_db_assert_exists: {
    params: {
      /** Address such as `postgresql://user:pw@host/db`, `mariadb://…`, `sqlite:///file.db`, or the path of a SQLite file. */
      connection_url: string
      /** One statement with `:name` placeholders. */
      sql: string
      /** Placeholder name to value; a list stands for several values. */
      params: {
        [k: string]: unknown
      } | null
      /** Limit in seconds, for connecting and for the statement. */
      timeout: number
    }
    result: null | undefined | void
  }
  /** Fail when a cell of the result differs. */
  WR_db_assert_value: {
    params: {
      /** Address such as `postgresql://user:pw@host/db`, `mariadb://…`, `sqlite:///file.db`, or the path of a SQLite file. */
      connection_url: string
      /** One statement with `:name` placeholders. */
      sql: string
      /** Column name. */
      column: string
      /** Expected value. */
      expected: unknown
      /** Row position from 0. */
      row_index: number
      /** Placeholder name to value; a list stands for several values. */
      params: {
        [k: string]: unknown
      } | null
      /** Limit in seconds, for connecting and for the statement. */
      timeout: number
    }
    result: null | undefined | void
  }
  /** Run a SQL statement that changes something. */
  WR_db_execute: {
    params: {
      /** Address such as `postgresql://user:pw@host/db`, `mariadb://…`, `sqlite:///file.db`, or the path of a SQLite file. */
      connection_url: string
      /** One statement with `:name` placeholders. */
      sql: string
      /** Placeholder name to value; a list stands for several values. */
      params: {
        [k: string]: unknown
      } | null
      /** Limit in seconds, for connecting and for the statement. */
      timeout: number
    }
    result: {
      /** Rows that were changed. */
      affected_rows: number
    }
  }
}
