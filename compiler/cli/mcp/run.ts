import { assistantCalls } from '#compiler/engine/callers/assistant-calls.ts';
import { printableLine } from '#grammar/source/printable.ts';
import { onInterrupt, type Interrupt } from '#runtime/program/signals.ts';
import { openMcpHttp, MCP_PATH } from '#runtime/servers/mcp/http.ts';
import { Calls } from '#runtime/servers/calls.ts';
import { serveLines } from '#runtime/servers/mcp/lines.ts';
import { mcpServers, type MakeServer } from '#runtime/servers/mcp/server.ts';
import { endOfTurn } from '#runtime/servers/listening.ts';
import { callLimits, STOP_MS } from '#runtime/servers/open-server.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';

import { count, one } from '../options.ts';
import { told } from '../one-command/told.ts';
import { gatesOf } from '../run/request.ts';
import { accessOf, rightsOf } from '../server/access.ts';
import { endOf } from '../server/run-servers.ts';
import { sharedSecret } from '../server/serving.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';

/** Serves tools until the input ends, or a signal comes. Standard output holds messages of the protocol alone. */
export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options } = args;
  const workspace = await openWorkspace(args, terminal);
  const { clock } = workspace.host;
  const rights = await accessOf(args);
  const gates = gatesOf(args) ?? {};
  const calls = assistantCalls({ project: workspace, access: rights.access, gates });
  for (const line of rightsOf(rights, gates)) terminal.err(`${printableLine(line)}\n`);
  const turns = new Calls(callLimits, clock);
  const make = await mcpServers(calls, {
    turns,
    name: one(options, 'name') ?? 'svc',
    version: one(options, 'version') ?? '1.0.0',
    allowWrites: options['allow-writes'] === true,
    monotonic: () => clock.monotonic(),
    heard: (tool, outcome, ms) =>
      terminal.err(
        `${new Date(clock.now()).toISOString()} mcp ${printableLine(tool)} ${outcome} ${Math.round(ms)} ms\n`,
      ),
  });
  try {
    return await (options['http'] === true
      ? overHttp(make, { args, workspace, terminal, turns })
      : overLines(make, terminal, turns));
  } catch (error) {
    if (error instanceof Failure) return told(error, terminal);
    throw error;
  } finally {
    await calls.close();
  }
}

async function overLines(make: MakeServer, terminal: Terminal, turns: Calls): Promise<ExitStatus> {
  const interrupted = Promise.withResolvers<Interrupt>();
  const stopListening = onInterrupt(interrupted.resolve);
  const serving = await serveLines(make, { input: process.stdin, write: (line) => terminal.out(line, 'json') });
  const interrupt = await Promise.race([interrupted.promise, serving.ended.then(() => undefined)]);
  if (interrupt) {
    terminal.err(`${endOf([await turns.end(STOP_MS)])}\n`);
    // The answers of calls that have just ended go out in the first of these turns.
    await endOfTurn();
    await endOfTurn();
  }
  stopListening();
  await serving.close();
  process.stdin.destroy();
  return interrupt?.status ?? 0;
}

interface OverHttp {
  readonly args: ParsedArguments;
  readonly workspace: Workspace;
  readonly terminal: Terminal;
  readonly turns: Calls;
}

async function overHttp(make: MakeServer, { args, workspace, terminal, turns }: OverHttp): Promise<ExitStatus> {
  const { options } = args;
  const secret = await sharedSecret(args, workspace);
  const where = {
    host: one(options, 'host') ?? '127.0.0.1',
    port: count(options, 'port'),
    allowReachable: options['allow-non-loopback'] === true,
  };
  const refused = (peer: string, status: number): void =>
    terminal.err(`${new Date(workspace.host.clock.now()).toISOString()} mcp ${printableLine(peer)} ${status}\n`);
  const server = await openMcpHttp({ ...where, secret, turns, refused }, make, workspace.host);
  const interrupted = Promise.withResolvers<Interrupt>();
  const stopListening = onInterrupt(interrupted.resolve);
  terminal.out(`${printableLine(`http://${where.host}:${server.port}${MCP_PATH}`)}\n`);
  const { status } = await interrupted.promise;
  terminal.err(`${endOf([await server.stop()])}\n`);
  stopListening();
  return status;
}
