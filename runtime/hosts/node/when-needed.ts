/**
 * Modules of Node that take milliseconds to load, loaded at their first use: most short programs need none of them. An
 * import would load them, and ask for each of their exports, before the program begins.
 */
export const whenNeeded = {
  get crypto(): typeof import('node:crypto') {
    return process.getBuiltinModule('node:crypto');
  },
  get names(): typeof import('node:dns') {
    return process.getBuiltinModule('node:dns');
  },
  /** The module as one object: an import of all of it would ask for each of its functions. */
  get fs(): typeof import('node:fs') {
    return process.getBuiltinModule('node:fs');
  },
  /** Calls that take trips to the thread pool: `node:fs` with streams and all that reads lines. */
  get later(): typeof import('node:fs/promises') {
    return process.getBuiltinModule('node:fs/promises');
  },
  get os(): typeof import('node:os') {
    return process.getBuiltinModule('node:os');
  },
  get threads(): typeof import('node:worker_threads') {
    return process.getBuiltinModule('node:worker_threads');
  },
  get util(): typeof import('node:util') {
    return process.getBuiltinModule('node:util');
  },
  get vm(): typeof import('node:vm') {
    return process.getBuiltinModule('node:vm');
  },
};
