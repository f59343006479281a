import { resolve } from 'node:path';

import { onInterrupt, type Interrupt } from '#runtime/program/signals.ts';
import { valueText } from '#runtime/reporters/failure-text.ts';
import {
  ChainedSecretProvider,
  EnvSecretProvider,
  FileSecretProvider,
} from '#runtime/services/secret-providers/providers.ts';
import { resolveSecretRefs } from '#runtime/services/secret-providers/resolve-secret-refs.ts';
import { printable, printableBlock, printableLine } from '#grammar/source/printable.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';
import { shortened } from '#schemas/types/shortened.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { call, type CallParameters } from '#compiler/engine/call.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import { answer } from './answer.ts';
import { gatesOf } from './run/request.ts';
import { openSession, type Session } from './session.ts';

/** Parameters that do not fit: the command line was wrong, nothing has run. */
const UNFIT = 'SVC80029';

/**
 * A verb that is one command of the standard library, under the configuration of the project. Its result goes to standard
 * output, as lines or with `--json` as it is; a failure to standard error. Texts are taken as they are, without references;
 * only the `secret` ones may be a reference, since the arguments of a process are there for everybody to see.
 */
export async function runCommand<Name extends keyof CommandMap>(
  name: Name,
  given: CallParameters<Name>,
  linesOf: (result: CommandMap[Name]['result']) => readonly string[],
  args: ParsedArguments,
  terminal: Terminal,
  secret: readonly string[] = [],
): Promise<ExitStatus> {
  const session = await openSession(args, terminal);
  const abort = new AbortController();
  let interrupt: Interrupt | undefined;
  const stopListening = onInterrupt((caught) => {
    interrupt = caught;
    abort.abort(caught.signal);
  });
  try {
    const settings = runSettings(session.configuration.settings, { gates: gatesOf(args) });
    const params = { ...given, ...(await revealed(given as JsonObject, secret, session)) };
    const result = await call(name, params, { settings, host: session.host, signal: abort.signal });
    const lines = (): string =>
      linesOf(result)
        .map((line) => `${printableLine(line)}\n`)
        .join('');
    answer(result, lines, args, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return interrupt?.status ?? told(error, terminal);
  } finally {
    stopListening();
  }
}

function told(failure: Failure, terminal: Terminal): ExitStatus {
  if (failure.facts.code === UNFIT) throw failure;
  const { code, message, help } = failure.facts;
  const { actual, expected } = failure.options;
  const lines = [`error[${code}]: ${printableBlock(shortened(message), '  | ')}`];
  if (actual !== undefined || expected !== undefined)
    lines.push(`  | actual:   ${valueText(actual)}`, `  | expected: ${valueText(expected)}`);
  for (let { cause } = failure; cause instanceof Error; { cause } = cause)
    lines.push(`  = because: ${printable(shortened(cause.message))}`);
  if (help !== undefined) lines.push(`  = ${printable(shortened(help))}`);
  terminal.err(`${lines.join('\n')}\n`);
  return 1;
}

/** The values that may be references, resolved. */
async function revealed(
  given: JsonObject,
  names: readonly string[],
  session: Session,
): Promise<Readonly<Record<string, Json>>> {
  const { host, configuration } = session;
  const root = configuration.settings.secrets?.file_root;
  const providers = [
    new EnvSecretProvider(host.env),
    ...(root === undefined ? [] : [new FileSecretProvider(host.files, resolve(session.root, root))]),
  ];
  const chosen = Object.fromEntries(names.map((name) => [name, given[name] ?? null]));
  return (await resolveSecretRefs(chosen, new ChainedSecretProvider(providers))) as JsonObject;
}
