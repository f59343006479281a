import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';

/** What a command's function gets beside its parameters: the base, and exactly the ports that its declaration needs. */
export type Context<Name extends keyof CommandMap> = Base & Pick<Ports, CommandMap[Name]['needs'] & keyof Ports>;

export type CommandFunction<Name extends keyof CommandMap> = (
  params: CommandMap[Name]['params'],
  ctx: Context<Name>,
) => CommandMap[Name]['result'] | Promise<CommandMap[Name]['result']>;

/** Ties a function to its declaration: types of parameters, result and context come from there. */
export function command<Name extends keyof CommandMap>(_name: Name, fn: CommandFunction<Name>): CommandFunction<Name> {
  return fn;
}
