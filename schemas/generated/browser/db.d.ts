// Generated from stdlib/browser/data/db/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Run a SQL query and yield its rows. */
  WR_db_query: {
    params: {
      /** Database URL, such as `postgresql://user:pw@host/db` or `sqlite:///file.db`. */
      connection_url: string
      /** Statement with `:name` placeholders. */
      sql: string
      /** Placeholder name to value. */
      params?: {
        [k: string]: unknown
      } | null
    }
    /** one object per row */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Fail when a query yields another number of rows. */
  WR_db_assert_count: {
    params: {
      /** Database URL, such as `postgresql://user:pw@host/db` or `sqlite:///file.db`. */
      connection_url: string
      /** Statement with `:name` placeholders. */
      sql: string
      /** Expected number of rows. */
      expected: number
      /** Placeholder name to value. */
      params?: {
        [k: string]: unknown
      } | null
    }
    result: null | undefined | void
  }
  /** Fail when a query yields any row. */
  WR_db_assert_empty: {
    params: {
      /** Database URL, such as `postgresql://user:pw@host/db` or `sqlite:///file.db`. */
      connection_url: string
      /** Statement with `:name` placeholders. */
      sql: string
      /** Placeholder name to value. */
      params?: {
        [k: string]: unknown
      } | null
    }
    result: null | undefined | void
  }
  /** Fail when a query yields no row. */
  WR_db_assert_exists: {
    params: {
      /** Database URL, such as `postgresql://user:pw@host/db` or `sqlite:///file.db`. */
      connection_url: string
      /** Statement with `:name` placeholders. */
      sql: string
      /** Placeholder name to value. */
      params?: {
        [k: string]: unknown
      } | null
    }
    result: null | undefined | void
  }
  /** Fail when a cell of the result differs. */
  WR_db_assert_value: {
    params: {
      /** Database URL, such as `postgresql://user:pw@host/db` or `sqlite:///file.db`. */
      connection_url: string
      /** Statement with `:name` placeholders. */
      sql: string
      /** Column name. */
      column: string
      /** Expected value. */
      expected: unknown
      /** Row position from 0. */
      row_index: number
      /** Placeholder name to value. */
      params?: {
        [k: string]: unknown
      } | null
    }
    result: null | undefined | void
  }
}
