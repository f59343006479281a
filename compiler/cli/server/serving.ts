import { actionCalls } from '#compiler/engine/action-calls.ts';
import { nearest } from '#compiler/engine/nearest.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import { remoteGates } from '#runtime/kernel/guard.ts';
import { AccessList } from '#runtime/servers/access-list.ts';
import type { ActionCalls, ServedCommand } from '#runtime/servers/action-calls.ts';
import { powerfulOf, unknownOf } from '#runtime/servers/tools.ts';
import { MetricsRegistry } from '#runtime/services/metrics/registry.ts';
import { openProgress } from '#runtime/services/progress/open-progress.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { revealed } from '../one-command/revealed.ts';
import { openSession, type Session } from '../session.ts';

/** What a verb that runs actions for others has at hand. */
export interface Serving extends AsyncDisposable {
  readonly session: Session;
  readonly calls: ActionCalls;
  readonly commands: readonly ServedCommand[];
  readonly access: AccessList;
  readonly secret: string | null;
}

/** Opens what the project of the working folder runs for callers, as the options of the command line bound it. */
export async function openServing(args: ParsedArguments, terminal: Terminal): Promise<Serving> {
  const session = await openSession(args, terminal);
  const { host, root, configuration } = session;
  const registry = new MetricsRegistry();
  const calls = actionCalls({
    host,
    root,
    progress: openProgress(host.clock),
    metrics: {
      count: (action, seconds, ok) => registry.record(action, seconds, ok),
      render: () => registry.render(),
    },
    settings: runSettings(configuration.settings, {}, remoteGates),
  });
  const commands = await calls.commands();
  const rules = { allowed: namesIn(args, 'allowed-actions'), denied: namesIn(args, 'denied-actions') ?? [] };
  known([...(rules.allowed ?? []), ...rules.denied], commands);
  return {
    session,
    calls,
    commands,
    access: new AccessList(rules, powerfulOf(commands)),
    secret: (await revealed(one(args.options, 'shared-secret'), session)) ?? null,
    [Symbol.asyncDispose]: () => calls.close(),
  };
}

/** Names between commas; null where the option was not given. */
function namesIn({ options }: ParsedArguments, name: string): readonly string[] | null {
  const given = one(options, name)?.split(',') ?? null;
  return given?.map((each) => each.trim()).filter((each) => each !== '') ?? null;
}

/** A misspelt name would leave a command out, or worse leave it in, without a word. */
function known(patterns: readonly string[], commands: readonly ServedCommand[]): void {
  const [first, ...others] = unknownOf(commands, patterns);
  if (first === undefined) return;
  const names = [first, ...others].map((name) => `"${name}"`).join(', ');
  throw fail.mcpUnknownActions({
    names,
    ...nearest(
      first,
      commands.map(({ name }) => name),
    ),
  });
}

/** The least rights that callers have, in lines for people. */
export function rightsOf({ commands, access }: Serving): readonly string[] {
  const open = commands.filter(({ name }) => access.allows(name));
  const effects = [...new Set(open.flatMap(({ effects: each }) => each))].toSorted();
  const byName = open.filter(({ isPowerful }) => isPowerful).map(({ name }) => name);
  return [
    `callers may run ${open.length} of ${commands.length} commands: ${effects.join(', ') || 'no effects'}`,
    `gates closed for callers: ${Object.keys(remoteGates).join(', ')}`,
    ...(byName.length > 0 ? [`allowed by name although they start programs or servers: ${byName.join(', ')}`] : []),
  ];
}
