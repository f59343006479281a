import { servedCommands } from '#compiler/engine/callers/action-calls.ts';
import { nearest } from '#compiler/engine/nearest.ts';
import { remoteGates } from '#runtime/kernel/guard.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { AccessList } from '#runtime/servers/access-list.ts';
import type { ServedCommand } from '#runtime/servers/action-calls.ts';
import { powerfulOf, unknownOf } from '#runtime/servers/tools.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments } from '#schemas/types/cli.ts';

import { one } from '../options.ts';

/** Commands that callers may run. */
export interface Rights {
  readonly commands: readonly ServedCommand[];
  readonly access: AccessList;
}

/** The access list that the options of the command line make; fails for names that no command has. */
export async function accessOf(args: ParsedArguments): Promise<Rights> {
  const commands = await servedCommands();
  const given = { allowed: namesIn(args, 'allowed-actions'), denied: namesIn(args, 'denied-actions') ?? [] };
  requireKnown([...(given.allowed ?? []), ...given.denied], commands);
  const rules = args.options['allow-all'] ? { ...given, allowed: commands.map(({ name }) => name) } : given;
  return { commands, access: new AccessList(rules, powerfulOf(commands)) };
}

/** Names between commas; null where the option was not given. */
function namesIn({ options }: ParsedArguments, name: string): readonly string[] | null {
  const given = one(options, name)?.split(',') ?? null;
  return given?.map((each) => each.trim()).filter((each) => each !== '') ?? null;
}

/** Fails for names that no command has: a misspelt one would leave a command out, or worse in, without a word. */
export function requireKnown(patterns: readonly string[], commands: readonly ServedCommand[]): void {
  const [first, ...others] = unknownOf(commands, patterns);
  if (first === undefined) return;
  const names = [first, ...others].map((name) => `"${name}"`).join(', ');
  const all = commands.map(({ name }) => name);
  throw fail.mcpUnknownActions({ names, ...nearest(first, all) });
}

/** The least rights that callers have, in lines for people. */
export function rightsOf({ commands, access }: Rights, opened: Settings['gates'] = {}): readonly string[] {
  const open = commands.filter(({ name }) => access.allows(name));
  const effects = [...new Set(open.flatMap(({ effects: each }) => each))].toSorted();
  const byName = open.filter(({ isPowerful }) => isPowerful).map(({ name }) => name);
  const shut = Object.entries({ ...remoteGates, ...opened }).flatMap(([gate, isOpen]) => (isOpen ? [] : [gate]));
  return [
    `callers may run ${open.length} of ${commands.length} commands: ${effects.join(', ') || 'no effects'}`,
    `gates closed for callers: ${shut.join(', ') || 'none'}`,
    ...(byName.length > 0 ? [`allowed by name although they start programs or servers: ${byName.join(', ')}`] : []),
  ];
}
