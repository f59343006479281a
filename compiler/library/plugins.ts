import type { Functions, SessionOptions } from '#compiler/engine/unit-session.ts';

import { once } from './session.ts';
import { warn } from './warn.ts';

/**
 * Finds the plugins of the project in the working directory of the host and hands the commands of each to a function,
 * such as `executor.add_command_to_executor`; answers how many were taken. One that is broken, or whose commands the
 * function refuses, is left out, with a warning of the process (`PluginWarning`) that says why.
 */
export async function load_entry_point_plugins(
  register: (commands: Functions) => void | Promise<void>,
  options: SessionOptions = {},
): Promise<number> {
  const plugins = await once('load_entry_point_plugins', ['modules'], ({ modules }) => modules.plugins(), options);
  let count = 0;
  for (const { name, error, functions } of plugins) {
    // A broken plugin must not keep the others out.
    try {
      if (error !== null) throw new Error(error);
      await register(functions);
      count += 1;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      warn(new Error(`The plugin "${name}" was left out: ${reason}`, { cause }), 'PluginWarning');
    }
  }
  return count;
}
