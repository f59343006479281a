import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { keepInputs } from '../keep-inputs.ts';
import { many, need, number, one } from '../options.ts';
import { runCommand } from '../one-command/run-command.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  switch (args.positional[0]) {
    case 'record':
      return await record(args, terminal);
    case 'verify':
      return await verify(args, terminal);
    default:
      return await compare(args, terminal);
  }
}

async function record(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options } = args;
  const [reports, files] = [many(options, 'report'), many(options, 'run')];
  const {
    consumer = '',
    provider = '',
    output = '',
  } = {
    consumer: one(options, 'consumer'),
    provider: one(options, 'provider'),
    output: one(options, 'output'),
  };
  need(reports.length + files.length > 0, 'contract record', '--report or --run');
  for (const [name, value] of Object.entries({ consumer, provider, output }))
    need(value !== '', 'contract record', `--${name}`);
  keepInputs([output], [...reports, ...files], terminal.cwd);
  return await runCommand(
    'AT_write_contract',
    {
      output_path: output,
      consumer,
      provider,
      report_paths: [...reports],
      base_path: one(options, 'base-path') ?? '',
      body_rule: one(options, 'body-rule') === 'equality' ? 'equality' : 'type',
    },
    (path) => [path],
    args,
    terminal,
    { after: files },
  );
}

function verify(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { positional, options } = args;
  need(positional[1] !== undefined, 'contract verify', 'CONTRACT');
  need(one(options, 'base-url') !== undefined, 'contract verify', '--base-url');
  return runCommand(
    'AT_verify_contract',
    {
      contract_path: positional[1] ?? '',
      base_url: one(options, 'base-url') ?? '',
      provider_states_url: one(options, 'provider-states-url') ?? null,
      state_handler: one(options, 'state-handler') ?? null,
      timeout: number(options, 'timeout'),
    },
    ({ report, broken, total, ...between }) => [
      heading(between),
      ...report.split('\n'),
      `interactions that hold: ${total - broken} of ${total}`,
    ],
    args,
    terminal,
    { holds: ({ ok }) => ok },
  );
}

function heading({ consumer, provider }: { readonly consumer: string; readonly provider: string }): string {
  return `Contract of ${consumer} with ${provider}`;
}

function compare(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const [, contract, openapi] = args.positional;
  need(contract !== undefined && openapi !== undefined, 'contract compare', 'CONTRACT and OPENAPI');
  return runCommand(
    'AT_check_contract_against_openapi',
    { contract_path: contract ?? '', openapi_path: openapi ?? '' },
    ({ checked, problems, report, ...between }) => [
      heading(between),
      ...(report === '' ? [] : report.split('\n')),
      `interactions that fit: ${checked - new Set(problems.map(({ interaction }) => interaction)).size} of ${checked}`,
    ],
    args,
    terminal,
    { holds: ({ ok }) => ok },
  );
}
