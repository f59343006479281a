// Generated from stdlib/browser/data/factory/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Make a factory for test users. */
  WR_user_factory: {
    params: {
      /** Used in values when no fake-data library is there. */
      prefix: string
    }
    /** user entity */
    result: {
      id?: number
      name?: string
      email?: string
      password?: string
      [k: string]: unknown
    }
  }
  /** Make a factory for test orders. */
  WR_order_factory: {
    params: {
      /** Currency code. */
      default_currency: string
    }
    /** order entity */
    result: {
      id?: number
      amount?: number
      currency?: string
      status?: string
      [k: string]: unknown
    }
  }
  /** Make a factory for test products. */
  WR_product_factory: {
    params: {}
    /** product entity */
    result: {
      id?: number
      name?: string
      price?: number
      in_stock?: boolean
      [k: string]: unknown
    }
  }
}
