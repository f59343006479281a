// Generated from stdlib/browser/core/packages/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Register the exports of a module as extra commands. */
  WR_add_package_to_executor: {
    params: {
      /** Package, with a subpath or without, or a file beside the action file: `./shop.mjs`. */
      package: string
    }
    result: null | undefined | void
  }
  /** Register the exports of a module with the callback executor. */
  WR_add_package_to_callback_executor: {
    params: {
      /** Package, with a subpath or without, or a file beside the action file: `./shop.mjs`. */
      package: string
    }
    result: null | undefined | void
  }
}
