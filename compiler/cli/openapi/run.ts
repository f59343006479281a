import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { many, need, one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options } = args;
  const [reports, files] = [many(options, 'report'), many(options, 'run')];
  need(reports.length + files.length > 0, 'openapi', '--report or --run');
  return await runCommand(
    'AT_export_openapi',
    { output_path: one(options, 'output') ?? '', title: one(options, 'title') ?? '', report_paths: [...reports] },
    (path) => [path],
    args,
    terminal,
    { after: files },
  );
}
