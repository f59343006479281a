import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { runCommand } from '../one-command/run-command.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const [source = '', target = ''] = args.positional;
  const found = await stat(resolve(terminal.cwd, source)).catch(() => undefined);
  if (args.options['dir'] || found?.isDirectory())
    return runCommand('FA_zip_dir', { dir_we_want_to_zip: source, zip_name: target }, (path) => [path], args, terminal);
  return runCommand('FA_zip_file', { zip_file_path: target, file: source }, () => [target], args, terminal);
}
