import type { Context, Script } from 'node:vm';

import type { RegExpMatch } from '#schemas/types/host.ts';

import { whenNeeded } from './when-needed.ts';

/**
 * Runs a regular expression in a context of its own, which ends it after `ms` milliseconds. The error of the limit has the
 * code `ERR_SCRIPT_EXECUTION_TIMEOUT`. Pattern and text are data of that context, never code.
 */
export function makeMatch(): (pattern: string, flags: string, text: string, ms: number) => RegExpMatch | null {
  let engine: { readonly script: Script; readonly context: Context } | undefined;
  return (pattern, flags, text, ms) => {
    engine ??= {
      script: new whenNeeded.vm.Script('(() => { const found = new RegExp(pattern, flags).exec(text); return found && { index: found.index, groups: [...found] }; })()'),
      context: whenNeeded.vm.createContext(Object.create(null) as object),
    };
    Object.assign(engine.context, { pattern, flags, text });
    const found = engine.script.runInContext(engine.context, { timeout: ms }) as RegExpMatch | null;
    return found && { index: found.index, groups: [...found.groups] };
  };
}
