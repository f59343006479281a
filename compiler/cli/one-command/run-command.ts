import { onInterrupt, type Interrupt } from '#runtime/program/signals.ts';
import { printableLine } from '#grammar/source/printable.ts';
import type { Reporter } from '#runtime/kernel/events.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { call, type CallParameters } from '#compiler/engine/call.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import { answer } from '../answer.ts';
import { gatesOf } from '../run/request.ts';
import { revealed } from './revealed.ts';
import { openWorkspace } from '../workspace.ts';
import { told } from './told.ts';

/**
 * A verb that is one command of the standard library, under the configuration of the project. Its result goes to
 * standard output, as lines or with `--json` as it is; a failure to standard error. Texts are taken as they are,
 * without references; only the `secret` ones may be a reference, since the arguments of a process are there for
 * everybody to see.
 */
export async function runCommand<Name extends keyof CommandMap>(
  name: Name,
  given: CallParameters<Name>,
  linesOf: (result: CommandMap[Name]['result']) => readonly string[],
  args: ParsedArguments,
  terminal: Terminal,
  {
    secret = [],
    after = [],
    holds = () => true,
  }: {
    readonly secret?: readonly string[];
    /** Action files that run first, in the same unit. */
    readonly after?: readonly string[];
    /** Whether a result is what the verb is to end well with. */
    readonly holds?: (result: CommandMap[Name]['result']) => boolean;
  } = {},
): Promise<ExitStatus> {
  const workspace = await openWorkspace(args, terminal);
  const abort = new AbortController();
  let interrupt: Interrupt | undefined;
  const stopListening = onInterrupt((caught) => {
    interrupt = caught;
    abort.abort(caught.signal);
  });
  try {
    const settings = runSettings(workspace.configuration.settings, { gates: gatesOf(args) });
    const hidden = Object.fromEntries(secret.map((key) => [key, (given as JsonObject)[key] ?? null]));
    const params = { ...given, ...(await revealed(hidden, workspace)) };
    const reporters = [linesTo(terminal)];
    const result = await call(name, params, { settings, host: workspace.host, signal: abort.signal, after, reporters });
    const lines = (): string =>
      linesOf(result)
        .map((line) => `${printableLine(line)}\n`)
        .join('');
    answer(result, lines, args, terminal);
    return holds(result) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return interrupt?.status ?? told(error, terminal);
  } finally {
    stopListening();
  }
}

/** Reporter of the lines that a command tells while it runs; they go beside its result. */
function linesTo(terminal: Terminal): Reporter {
  return {
    event: (event) => {
      if (event.kind !== 'lines') return;
      for (const line of event.lines) terminal.err(`${printableLine(line)}\n`);
    },
  };
}
