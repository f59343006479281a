import { printableLine } from '#grammar/source/printable.ts';
import { onInterrupt, type Interrupt } from '#runtime/program/signals.ts';
import { openDashboard } from '#runtime/servers/dashboard/server.ts';
import { openHttpServer } from '#runtime/servers/http/server.ts';
import { openMetricsServer } from '#runtime/servers/metrics-server.ts';
import type { HeardCall, OpenServer, StoppedCalls, Surroundings } from '#runtime/servers/open-server.ts';
import { openTcpServer } from '#runtime/servers/tcp/server.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { Clock } from '#schemas/types/host.ts';
import { Failure } from '#schemas/types/failure.ts';

import { count, one } from '../options.ts';
import { rightsOf } from './access.ts';
import { openServing, type Serving } from './serving.ts';
import { told } from '../one-command/told.ts';

type Kind = 'tcp' | 'http' | 'metrics' | 'dashboard';

/** A server that listens, and what stands before its host in an address. */
interface Listening {
  readonly kind: Kind;
  readonly server: OpenServer;
}

/**
 * Serves until a signal comes, or until a caller stops the server. Addresses go to standard output, one a line; the
 * rights of callers and a line for every call to standard error, never what was sent.
 */
export async function runServers(
  kind: Exclude<Kind, 'metrics'>,
  args: ParsedArguments,
  terminal: Terminal,
): Promise<ExitStatus> {
  await using serving = await openServing(args, terminal);
  const interrupted = Promise.withResolvers<Interrupt>();
  const stopListening = onInterrupt(interrupted.resolve);
  const opened: Listening[] = [];
  try {
    for (const each of wanted(kind, args)) opened.push(await open(each, kind, { args, serving, terminal }));
    tell(opened, serving, kind, terminal);
    const ended = opened.map(({ server }) => server.ended.then(() => undefined));
    const interrupt = await Promise.race([interrupted.promise, ...ended]);
    terminal.err('stopping: calls under way may end\n');
    return interrupt?.status ?? 0;
  } catch (error) {
    if (error instanceof Failure) return told(error, terminal);
    throw error;
  } finally {
    const stopped = await Promise.all(opened.map(({ server }) => server.stop()));
    if (opened.length > 0) terminal.err(`${endOf(stopped)}\n`);
    stopListening();
  }
}

/** State in which the servers have stopped, in words. */
export function endOf(all: readonly StoppedCalls[]): string {
  const [finished, cancelled] = [sum(all.map((each) => each.finished)), sum(all.map((each) => each.cancelled))];
  if (finished + cancelled === 0) return 'stopped: no calls were under way';
  return `stopped: of the calls under way ${finished} ended by themselves, ${cancelled} were cancelled`;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}

/** The server that the verb is called by, and those that show what it does. */
function wanted(kind: Kind, { options }: ParsedArguments): readonly Kind[] {
  const beside = (['metrics', 'dashboard'] as const).filter((each) => one(options, `${each}-port`) !== undefined);
  return [kind, ...beside];
}

interface Opening {
  readonly args: ParsedArguments;
  readonly serving: Serving;
  readonly terminal: Terminal;
}

/** Opens a server; those beside the first one listen on its host. */
async function open(kind: Kind, first: Kind, { args: { options }, serving, terminal }: Opening): Promise<Listening> {
  const { calls, callers, secret, workspace } = serving;
  const { lookup, clock, random } = workspace.host;
  const where = {
    host: one(options, 'host') ?? '127.0.0.1',
    port: count(options, kind === first ? 'port' : `${kind}-port`),
    allowReachable: options['allow-non-loopback'] === true,
  };
  const around: Surroundings = { calls, lookup, clock, heard: heardBy(terminal, clock) };
  switch (kind) {
    case 'tcp':
      return { kind, server: await openTcpServer({ ...where, callers }, around) };
    case 'http':
      return { kind, server: await openHttpServer({ ...where, callers }, around) };
    case 'metrics':
      return { kind, server: await openMetricsServer(where, { lookup, metrics: () => calls.metrics() }) };
    case 'dashboard': {
      const token = (): string => `${random.uuid()}${random.uuid()}`;
      return { kind, server: await openDashboard({ ...where, secret }, { lookup, clock, calls, token }) };
    }
    default:
      return kind satisfies never;
  }
}

function tell(opened: readonly Listening[], serving: Serving, kind: Kind, terminal: Terminal): void {
  const lines = kind === 'dashboard' ? [] : [...rightsOf(serving), ...reachOf(serving)];
  terminal.err(lines.map((line) => `${printableLine(line)}\n`).join(''));
  for (const { kind: each, server } of opened) {
    const host = server.host.includes(':') ? `[${server.host}]` : server.host;
    const path = each === 'metrics' ? '/metrics' : '';
    terminal.err(`${each}: ${server.auth ? 'asks for the secret' : 'asks for no secret'}\n`);
    terminal.out(`${printableLine(`${each === 'tcp' ? 'tcp' : 'http'}://${host}:${server.port}${path}`)}\n`);
  }
}

/** Files and values that callers reach, in lines for people. */
function reachOf({ outside, environment, workspace }: Serving): readonly string[] {
  return [
    outside === 'anywhere'
      ? 'callers reach every file of this machine that this user reaches (--allow-outside)'
      : `callers reach files below ${[workspace.root, ...outside].join(', ')} alone`,
    environment
      ? 'callers read the environment and secret files (--allow-environment)'
      : 'callers read neither the environment nor secret files',
  ];
}

/** Writes a line for every call; those of one turn of the event loop at once. */
function heardBy(terminal: Terminal, clock: Clock): (call: HeardCall) => void {
  let lines = '';
  const write = (): void => {
    terminal.err(lines);
    lines = '';
  };
  return (call) => {
    if (lines === '') setImmediate(write);
    lines += lineOf(call, clock.now());
  };
}

/** Names of commands that a line holds; a list may have thousands. */
const MOST_NAMES = 20;

function lineOf({ server, peer, caller, commands = [], refused, outcome, ms }: HeardCall, now: number): string {
  const [shown, more] = [commands.slice(0, MOST_NAMES).join(','), commands.length - MOST_NAMES];
  const words = [server, peer, outcome, `${ms} ms`];
  if (caller !== undefined) words.push(`caller ${caller}`);
  if (refused !== undefined) words.push(`refused ${refused}`);
  if (shown !== '') words.push(more > 0 ? `${shown} and ${more} more` : shown);
  return `${new Date(now).toISOString()} ${words.map((word) => printableLine(word)).join(' ')}\n`;
}
