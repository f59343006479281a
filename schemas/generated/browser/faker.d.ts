// Generated from stdlib/browser/data/faker/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Make up a value by the name of its maker. */
  WR_faker: {
    params: {
      /** Name of the maker, such as `email` or `date_between`. */
      method: string
      /** Values for the maker, in its order. */
      args: ReadonlyArray<unknown>
      /** Values for the maker by name. */
      kwargs: {
        [k: string]: unknown
      }
    }
    /** The value. */
    result: unknown
  }
  /** Make up a postal address. */
  WR_faker_address: {
    params: {}
    /** The value. */
    result: string
  }
  /** Make up a card number. */
  WR_faker_credit_card: {
    params: {}
    /** The value. */
    result: string
  }
  /** Make up an e-mail address. */
  WR_faker_email: {
    params: {}
    /** The value. */
    result: string
  }
  /** Make up a first name. */
  WR_faker_first_name: {
    params: {}
    /** The value. */
    result: string
  }
  /** Make up a family name. */
  WR_faker_last_name: {
    params: {}
    /** The value. */
    result: string
  }
  /** Make up a full name. */
  WR_faker_name: {
    params: {}
    /** The value. */
    result: string
  }
  /** Make up a password. */
  WR_faker_password: {
    params: {
      /** Number of characters. */
      length: number
    }
    /** The password. */
    result: string
  }
  /** Make up a phone number. */
  WR_faker_phone: {
    params: {}
    /** The value. */
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
      /** Largest number of characters; 200 when left out. */
      max_chars: (number | null)
    }
    /** Whole sentences that together have at most so many characters. */
    result: string
  }
  /** Make up a web address. */
  WR_faker_url: {
    params: {}
    /** The value. */
    result: string
  }
  /** Make up a browser user agent. */
  WR_faker_user_agent: {
    params: {}
    /** The value. */
    result: string
  }
  /** Make up a random UUID. */
  WR_faker_uuid: {
    params: {}
    /** The value. */
    result: string
  }
}
