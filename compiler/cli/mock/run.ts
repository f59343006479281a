import { printableLine } from '#grammar/source/printable.ts';
import { onInterrupt, type Interrupt } from '#runtime/program/signals.ts';
import { serveMocks } from '#compiler/engine/mocks/serve-mocks.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';

import { one } from '../options.ts';
import { told } from '../one-command/told.ts';
import { openWorkspace } from '../workspace.ts';
import { logLine } from './log-line.ts';

/** The mock configuration itself is wrong: nothing has been started. */
const unreadable = new Set(['SVC83084', 'SVC83085', 'SVC84020']);

/** Serves until a signal comes. All mocks stop together, also where one of them cannot start. */
export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options, positional } = args;
  const [given, option] = [positional[0], one(options, 'config')];
  if (given !== undefined && option !== undefined)
    throw fail.optionGivenTwice({ option: 'config', first: given, second: option });
  const workspace = await openWorkspace(args, terminal);
  const interrupted = Promise.withResolvers<Interrupt>();
  const stopListening = onInterrupt(interrupted.resolve);
  const [host, port] = [one(options, 'host'), one(options, 'port')];
  try {
    await using mocks = await serveMocks(
      {
        file: given ?? option,
        ...(host === undefined ? {} : { host }),
        ...(port === undefined ? {} : { port: Number(port) }),
        ...(options['cors'] === true ? { cors: true } : {}),
      },
      { host: workspace.host, root: workspace.root, settings: runSettings(workspace.configuration.settings, {}) },
      (event) => {
        if (options['json']) terminal.out(`${JSON.stringify(event)}\n`, 'json');
        else terminal.err(logLine(event, options['verbose'] === true));
      },
    );
    for (const address of mocks.addresses) terminal.out(`${printableLine(address)}\n`);
    for (const line of mocks.notes) terminal.err(`${printableLine(line)}\n`);
    const { status } = await interrupted.promise;
    terminal.err('stopping\n');
    return status;
  } catch (error) {
    if (!(error instanceof Failure) || unreadable.has(error.facts.code)) throw error;
    return told(error, terminal);
  } finally {
    stopListening();
  }
}
