import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';

export function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const [archive = '', folder = ''] = args.positional;
  const password = one(args.options, 'password') ?? null;
  return runCommand(
    'FA_unzip_all',
    { zip_file_path: archive, extract_path: folder, password },
    (paths) => paths,
    args,
    terminal,
    { secret: ['password'] },
  );
}
