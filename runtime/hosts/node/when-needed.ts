/**
 * Modules of Node that take milliseconds to load, loaded at their first use: most short programs need none of them. An
 * import would load them, and ask for each of their exports, before the program begins.
 */
export const whenNeeded = {
  get crypto(): typeof import('node:crypto') {
    return process.getBuiltinModule('node:crypto');
  },
  get processes(): typeof import('node:child_process') {
    return process.getBuiltinModule('node:child_process');
  },
  get util(): typeof import('node:util') {
    return process.getBuiltinModule('node:util');
  },
  get vm(): typeof import('node:vm') {
    return process.getBuiltinModule('node:vm');
  },
};
