import { assistantCalls } from '#compiler/engine/callers/assistant-calls.ts';
import { printableLine } from '#grammar/source/printable.ts';
import { onInterrupt, type Interrupt } from '#runtime/program/signals.ts';
import { openMcpHttp, MCP_PATH } from '#runtime/servers/mcp/http.ts';
import { serveLines } from '#runtime/servers/mcp/lines.ts';
import { mcpServers, type MakeServer } from '#runtime/servers/mcp/server.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';

import { count, one } from '../options.ts';
import { told } from '../one-command/told.ts';
import { gatesOf } from '../run/request.ts';
import { accessOf, rightsOf } from '../server/access.ts';
import { revealed } from '../one-command/revealed.ts';
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
  const make = await mcpServers(calls, {
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
    return await (options['http'] === true ? overHttp(make, { args, workspace, terminal }) : overLines(make, terminal));
  } catch (error) {
    if (error instanceof Failure) return told(error, terminal);
    throw error;
  } finally {
    await calls.close();
  }
}

async function overLines(make: MakeServer, terminal: Terminal): Promise<ExitStatus> {
  const interrupted = Promise.withResolvers<Interrupt>();
  const stopListening = onInterrupt(interrupted.resolve);
  const serving = await serveLines(make, { input: process.stdin, write: (line) => terminal.out(line, 'json') });
  const interrupt = await Promise.race([interrupted.promise, serving.ended.then(() => undefined)]);
  stopListening();
  await serving.close();
  process.stdin.destroy();
  return interrupt?.status ?? 0;
}

interface OverHttp {
  readonly args: ParsedArguments;
  readonly workspace: Workspace;
  readonly terminal: Terminal;
}

async function overHttp(make: MakeServer, { args: { options }, workspace, terminal }: OverHttp): Promise<ExitStatus> {
  const secret = (await revealed(one(options, 'shared-secret'), workspace)) ?? null;
  const where = {
    host: one(options, 'host') ?? '127.0.0.1',
    port: count(options, 'port'),
    allowReachable: options['allow-non-loopback'] === true,
  };
  const server = await openMcpHttp({ ...where, secret }, make, workspace.host);
  const interrupted = Promise.withResolvers<Interrupt>();
  const stopListening = onInterrupt(interrupted.resolve);
  terminal.out(`${printableLine(`http://${where.host}:${server.port}${MCP_PATH}`)}\n`);
  const { status } = await interrupted.promise;
  await server.stop();
  stopListening();
  return status;
}
