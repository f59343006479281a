import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';

export function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const [path = ''] = args.positional;
  return runCommand(
    'FA_create_file',
    { file_path: path, content: one(args.options, 'content') ?? '' },
    () => [path],
    args,
    terminal,
  );
}
