// Generated from stdlib/browser/data/factory/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Make up test users. */
  WR_user_factory: {
    params: {
      /** First word of the mail address. */
      prefix: string
      /** Number of values; null: one, not in a list. */
      count: (number | null)
      /** Fields that replace or join those of each. */
      overrides: {
        [k: string]: unknown
      }
    }
    /** One user, or a list of them where `count` is given. */
    result: ({
      id: number
      name?: string
      email?: string
      password?: string
      [k: string]: unknown
    } | ReadonlyArray<{
      [k: string]: unknown
    }>)
  }
  /** Make up test orders. */
  WR_order_factory: {
    params: {
      /** Currency code. */
      default_currency: string
      /** Number of values; null: one, not in a list. */
      count: (number | null)
      /** Fields that replace or join those of each. */
      overrides: {
        [k: string]: unknown
      }
    }
    /** One order, or a list of them where `count` is given. */
    result: ({
      id: number
      amount?: number
      currency?: string
      status?: string
      [k: string]: unknown
    } | ReadonlyArray<{
      [k: string]: unknown
    }>)
  }
  /** Make up test products. */
  WR_product_factory: {
    params: {
      /** Number of values; null: one, not in a list. */
      count: (number | null)
      /** Fields that replace or join those of each. */
      overrides: {
        [k: string]: unknown
      }
    }
    /** One product, or a list of them where `count` is given. */
    result: ({
      id: number
      name?: string
      price?: number
      in_stock?: boolean
      [k: string]: unknown
    } | ReadonlyArray<{
      [k: string]: unknown
    }>)
  }
}
