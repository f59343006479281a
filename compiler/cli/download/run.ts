import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { count, one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';

export function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const {
    positional: [url = '', target = ''],
    options,
  } = args;
  return runCommand(
    'FA_download_file',
    {
      url,
      target,
      expected_sha256: one(options, 'sha256') ?? null,
      resume: options['resume'] === true,
      follow_redirects: options['follow-redirects'] === true,
      keep_time: options['keep-time'] === true,
      max_bytes: count(options, 'max-bytes'),
      timeout: count(options, 'timeout'),
    },
    () => [target],
    args,
    terminal,
  );
}
