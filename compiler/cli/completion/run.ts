import { scripts } from '#compiler/completion-scripts.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

export async function run({ positional }: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  terminal.out(scripts[positional[0] ?? ''] ?? '', 'file');
  return 0;
}
