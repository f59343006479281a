import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { scripts } from './scripts.ts';

export async function run({ positional }: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  terminal.out(scripts[positional[0] ?? ''] ?? '', 'file');
  return 0;
}
