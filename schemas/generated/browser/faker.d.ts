// Generated from stdlib/browser/data/faker/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Call any fake-data provider by name. */
  WR_faker: {
    params: {
      /** Provider name, such as `email` or `date_between`. */
      method: string
      /** Variadic: further positions go to the provider. */
      args?: ReadonlyArray<unknown>
      /** Extra keywords for the provider. */
      kwargs?: {
        [k: string]: unknown
      }
    }
    /** value of the provider */
    result: unknown
  }
  /** Make up a postal address. */
  WR_faker_address: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make up a card number. */
  WR_faker_credit_card: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make up an e-mail address. */
  WR_faker_email: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make up a first name. */
  WR_faker_first_name: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make up a family name. */
  WR_faker_last_name: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make up a full name. */
  WR_faker_name: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make up a password. */
  WR_faker_password: {
    params: {
      /** Number of characters. */
      length: number
    }
    /** generated value */
    result: string
  }
  /** Make up a phone number. */
  WR_faker_phone: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make the fake data repeatable. */
  WR_faker_seed: {
    params: {
      /** Seed value. */
      seed: number
    }
    result: null | undefined | void
  }
  /** Make up a piece of text. */
  WR_faker_text: {
    params: {
      /** Largest number of characters. */
      max_chars?: (number | null)
    }
    /** generated value */
    result: string
  }
  /** Make up a web address. */
  WR_faker_url: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make up a browser user agent. */
  WR_faker_user_agent: {
    params: {}
    /** generated value */
    result: string
  }
  /** Make up a random UUID. */
  WR_faker_uuid: {
    params: {}
    /** generated value */
    result: string
  }
}
