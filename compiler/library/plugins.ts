import type { Functions, SessionOptions } from '#compiler/engine/unit-session.ts';

import { once } from './session.ts';

/**
 * Finds the plugins of the project in the working directory of the host and hands the commands of each to a function,
 * such as `executor.add_command_to_executor`; answers how many were taken. One that is broken, or whose commands the
 * function refuses, is left out: `FA_plugin_list` says why a plugin could not be loaded.
 */
export async function load_entry_point_plugins(
  register: (commands: Functions) => void,
  options: SessionOptions = {},
): Promise<number> {
  const plugins = await once('load_entry_point_plugins', ['modules'], ({ modules }) => modules.plugins(), options);
  let count = 0;
  for (const { error, functions } of plugins) {
    if (error !== null) continue;
    try {
      register(functions);
      count += 1;
    } catch {
      // A broken plugin must not keep the others out.
    }
  }
  return count;
}
