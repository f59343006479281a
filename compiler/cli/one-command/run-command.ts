import { onInterrupt, type Interrupt } from '#runtime/program/signals.ts';
import { printableLine } from '#grammar/source/printable.ts';
import type { Reporter, RunEvent } from '#runtime/kernel/events.ts';
import type { FailedCall } from '#runtime/services/request-log/port.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { call, type CallOptions, type CallParameters } from '#compiler/engine/call.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import { answer } from '../answer.ts';
import { gatesOf } from '../run/request.ts';
import { filesToRun } from './files-to-run.ts';
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
    first,
    holds = () => true,
    shows = [],
    deliver,
  }: {
    readonly secret?: readonly string[];
    /** PATHs of action files that run first, in the same unit. */
    readonly after?: readonly string[];
    /** Opens what the command uses, in its unit; what is told to people meanwhile is shown. */
    readonly first?: CallOptions['first'];
    /** Whether a result is what the verb is to end well with. Fails for one that is not to be told. */
    readonly holds?: (result: CommandMap[Name]['result']) => boolean;
    /** Names of texts that the command attaches and that are told beside its result. */
    readonly shows?: readonly string[];
    /** Takes the result in place of standard output; yields the exit status. */
    readonly deliver?: (result: CommandMap[Name]['result']) => Promise<ExitStatus>;
  } = {},
): Promise<ExitStatus> {
  const files = await filesToRun(after, args, terminal);
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
    const reporters = [linesTo(terminal, shows, first !== undefined)];
    const failed = (requests: readonly FailedCall[]): void => {
      for (const request of requests) terminal.err(`failed: ${printableLine(failedLine(request))}\n`);
    };
    const around = { settings, host: workspace.host, signal: abort.signal, ...(first && { first }) };
    const result = await call(name, params, { ...around, after: files, failed, reporters });
    if (deliver) return await deliver(result);
    const lines = (): string =>
      linesOf(result)
        .map((line) => `${printableLine(line)}\n`)
        .join('');
    const status = holds(result) ? 0 : 1;
    answer(result, lines, args, terminal);
    return status;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!interrupt) return told(error, terminal);
    terminal.err(`stopped: ${interrupt.signal}\n`);
    return interrupt.status;
  } finally {
    stopListening();
  }
}

/** A failed request on one line. Most errors name it themselves. */
function failedLine({ call: asked, sent, error }: FailedCall): string {
  const text = error.replaceAll(/\s+/g, ' ');
  const url = sent?.url ?? asked['test_url'] ?? asked['url'];
  return typeof url !== 'string' || text.includes(url) ? text : `${sent?.method ?? ''} ${url}: ${text}`.trim();
}

/**
 * Reporter of the lines and warnings that a command tells while it runs, of its texts under some names, and where they
 * matter of its hints; they go beside its result.
 */
function linesTo(terminal: Terminal, shows: readonly string[], showsHints: boolean): Reporter {
  return {
    event: (event) => {
      for (const line of toldBy(event, shows, showsHints)) terminal.err(`${printableLine(line)}\n`);
    },
  };
}

function toldBy(event: RunEvent, shows: readonly string[], showsHints: boolean): readonly string[] {
  if (event.kind === 'lines') return event.lines;
  if (event.kind === 'notice' && event.level === 'warning') return [`warning: ${event.text}`];
  if (event.kind === 'notice') return showsHints ? [event.text] : [];
  if (event.kind !== 'step-finished') return [];
  return event.evidence.flatMap((one) =>
    one.kind === 'text' && shows.includes(one.name) ? one.text.split('\n').map((line) => `${one.name}: ${line}`) : [],
  );
}
