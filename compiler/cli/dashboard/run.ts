import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { runServers } from '../server/run-servers.ts';

export function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  return runServers('dashboard', args, terminal);
}
