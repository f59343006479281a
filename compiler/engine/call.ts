import { catalogue } from '#compiler/catalogue.ts';
import type { Reporter } from '#runtime/kernel/events.ts';
import type { Block, PortName } from '#runtime/kernel/ports.ts';
import type { FailedCall } from '#runtime/services/request-log/port.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import { registry } from '#schemas/generated/registry.ts';

import { sessionObservers } from './observed.ts';
import { openUnit, type OpenUnit, type SessionOptions } from './unit-session.ts';
import { wanted } from './wanted.ts';

/** Lists of actions are no values: `execute_action` runs the commands that take them. */
type Plain<Params> = { readonly [Key in keyof Params]: Block extends NonNullable<Params[Key]> ? never : Params[Key] };

/** A command's parameters as a caller gives them: what has a default may be left out. */
export type CallParameters<Name extends keyof CommandMap> = Pick<
  Plain<CommandMap[Name]['params']>,
  CommandMap[Name]['required'] & keyof CommandMap[Name]['params']
> &
  Partial<Plain<CommandMap[Name]['params']>>;

export interface CallOptions extends SessionOptions {
  /** Action files that run first, in the same unit: what they request and store, the command sees. */
  readonly after?: readonly string[];
  /** Runs before the command, in the same unit: opens what the command uses. */
  readonly first?: (unit: OpenUnit) => Promise<unknown>;
  /** Hears of the requests of these files that failed, before the command runs. */
  readonly failed?: (requests: readonly FailedCall[]) => void;
  /** Hear of what the command tells while it runs. */
  readonly reporters?: readonly Reporter[];
}

/**
 * Calls one command of the standard library. Parameters are checked and completed by its declaration; texts are taken
 * as they are, without references. Rejects with a `Failure`, also for commands that run action lists: those are called
 * by `execute_action`.
 */
export async function call<Name extends keyof CommandMap>(
  name: Name,
  given: CallParameters<Name>,
  { after = [], failed, first, ...options }: CallOptions = {},
): Promise<CommandMap[Name]['result']> {
  await using unit = await openUnit({ ...options, unit: { source: 'library' }, observers: sessionObservers() });
  await first?.(unit);
  return await callIn(unit, name, given, { after, ...(failed && { failed }) });
}

/** The same in a unit that is open. */
export async function callIn<Name extends keyof CommandMap>(
  unit: OpenUnit,
  name: Name,
  given: CallParameters<Name>,
  { after = [], failed }: Pick<CallOptions, 'after' | 'failed'> = {},
): Promise<CommandMap[Name]['result']> {
  const params = await wanted(name, given);
  const info = catalogue.get(name);
  const load = registry[name]?.load;
  if (!info || !load) throw fail.commandNotLinked({ command: name, help: 'it is declared, and not built yet' });
  const list = info.params.find(
    (param) => (param.list === 'run' || param.list === 'background') && Object.hasOwn(params, param.name),
  );
  if (list)
    throw fail.argumentsUnfit({
      command: name,
      reason: `"${list.name}" is a list of actions, which \`execute_action\` runs`,
    });
  const implementation = await load();
  const files = after.length > 0 ? await registry['AT_execute_files']?.load() : undefined;
  if (files)
    await unit.within('AT_execute_files', ['executor'], (base) => files({ execute_files_list: [...after] }, base));
  if (files && failed)
    failed(await unit.within('failed requests', ['requestLog'], ({ requestLog }) => requestLog.exchanges().failed));
  return await unit.within(name, info.needs as readonly PortName[], (base) => {
    if (info.gate) base.require(info.gate, name);
    return implementation(params, base);
  });
}
