import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { keepInputs } from '../keep-inputs.ts';
import { many, need, number, one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { positional, options } = args;
  const [reports, files] = [many(options, 'report'), many(options, 'run')];
  const written = [one(options, 'missing-actions'), one(options, 'inferred-spec')];
  keepInputs(written, [positional[1], ...reports, ...files], terminal.cwd);
  need(reports.length + files.length > 0, 'spec check', '--report or --run');
  return await runCommand(
    'AT_check_spec_against_tests',
    {
      spec_path: positional[1] ?? '',
      report_paths: [...reports],
      min_coverage: number(options, 'min-coverage'),
      missing_actions_path: one(options, 'missing-actions') ?? null,
      inferred_spec_path: one(options, 'inferred-spec') ?? null,
    },
    ({ report }) => report.split('\n'),
    args,
    terminal,
    { after: files, holds: ({ ok }) => ok },
  );
}
