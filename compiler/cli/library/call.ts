import { catalogue } from '#compiler/catalogue.ts';
import type { PortName } from '#runtime/kernel/ports.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import { registry } from '#schemas/generated/registry.ts';

import { once, type SessionOptions } from './session.ts';
import { wanted } from './wanted.ts';

/** A command's parameters as a caller gives them: what has a default may be left out. Checked when called. */
export type Parameters<Name extends keyof CommandMap> = Partial<CommandMap[Name]['params']>;

/**
 * Calls one command of the standard library. Parameters are checked and completed by its declaration; texts are taken as
 * they are, without references. Rejects with a `Failure`. Commands that run action lists are called by `execute_action`.
 */
export async function call<Name extends keyof CommandMap>(name: Name, given: Parameters<Name>, options?: SessionOptions): Promise<CommandMap[Name]['result']> {
  const params = await wanted(name, given);
  const info = catalogue.get(name);
  const load = registry[name]?.load;
  if (!info || !load) throw fail.commandNotLinked({ command: name });
  const implementation = await load();
  return once(name, info.needs as readonly PortName[], (base) => {
    if (info.gate) base.require(info.gate, name);
    return implementation(params, base) as CommandMap[Name]['result'];
  }, options);
}
