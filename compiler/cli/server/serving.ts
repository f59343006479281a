import { actionCalls } from '#compiler/engine/callers/action-calls.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import { remoteGates } from '#runtime/kernel/guard.ts';
import type { ActionCalls, CallsAround } from '#runtime/servers/action-calls.ts';
import { Callers } from '#runtime/servers/callers.ts';
import { MetricsRegistry } from '#runtime/services/metrics/registry.ts';
import { openProgress } from '#runtime/services/progress/open-progress.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { accessOf, type Rights } from './access.ts';
import { namedCallers } from './named-callers.ts';
import { revealed } from '../one-command/revealed.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

/** Resources of a verb that runs actions for others. */
export interface Serving extends AsyncDisposable, Rights {
  readonly workspace: Workspace;
  readonly calls: ActionCalls;
  /** Folders and files beside the project that callers reach. */
  readonly outside: CallsAround['outside'];
  /** Whether callers read the environment of this process, and secret files. */
  readonly environment: boolean;
  /** Secret that all callers without a name share. */
  readonly secret: string | null;
  readonly callers: Callers;
}

/**
 * The secret of the option `--shared-secret`; null where it was not given. Fails where it is empty: a server would ask
 * for it, and nobody could give it.
 */
export async function sharedSecret({ options }: ParsedArguments, workspace: Workspace): Promise<string | null> {
  const secret = (await revealed(one(options, 'shared-secret'), workspace)) ?? null;
  if (secret === '') throw fail.optionNeedsValue({ option: 'shared-secret', value: 'TEXT' });
  return secret;
}

/** Opens what the project of the working folder runs for callers, as the options of the command line bound it. */
export async function openServing(args: ParsedArguments, terminal: Terminal): Promise<Serving> {
  const workspace = await openWorkspace(args, terminal);
  const { host, root, configuration } = workspace;
  const registry = new MetricsRegistry();
  const environment = args.options['allow-environment'] === true;
  const outside = args.options['allow-outside'] === true ? 'anywhere' : configuration.outside;
  const calls = actionCalls({
    host,
    root,
    outside,
    environment,
    progress: openProgress(host.clock),
    metrics: {
      count: (action, seconds, ok) => registry.record(action, seconds, ok),
      render: () => registry.render(),
    },
    settings: runSettings(configuration.settings, {}, remoteGates),
  });
  const rights = await accessOf(args);
  const secret = await sharedSecret(args, workspace);
  const named = await namedCallers(one(args.options, 'callers'), rights, workspace);
  // Where callers have names, nobody comes in without one unless a secret for that was given.
  const unnamed = secret === null && named.length > 0 ? [] : [{ secret, access: rights.access }];
  return {
    workspace,
    calls,
    ...rights,
    outside,
    environment,
    secret,
    callers: new Callers([...unnamed, ...named]),
    [Symbol.asyncDispose]: () => calls.close(),
  };
}
