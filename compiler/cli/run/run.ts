import { join } from 'node:path';

import { prepareRun, type PreparedRun } from './prepare.ts';
import { listText } from './list.ts';
import { rememberRun } from './state.ts';
import { conduct } from '#runtime/program/execute.ts';
import { reporters } from '#runtime/reporters/reporters.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { actionFilesIn } from '../inputs.ts';
import { count, one } from '../options.ts';

/** Compiles what is named and runs it; compiled programs run in processes of their own. */
export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  if (args.positional.length === 0) throw await nothingNamed(terminal);
  const programs = args.positional.filter((path) => path.endsWith('.mjs'));
  if (programs.length === args.positional.length) return runEach(programs, args, terminal);
  const prepared = await prepareRun({ ...args, positional: args.positional.filter((path) => !path.endsWith('.mjs')) }, terminal);
  if (typeof prepared === 'number') return prepared;
  if (args.options['list']) {
    terminal.out(listText(prepared, args.options['json'] === true));
    return 0;
  }
  const status = await runPrepared(prepared, args, terminal);
  return programs.length === 0 ? status : worse(status, await runEach(programs, args, terminal));
}

async function runPrepared({ program, session, selected, reports, record, settings, state }: PreparedRun, { options }: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const env = one(options, 'env');
  const dotenv = one(options, 'dotenv');
  const { status, outcome } = await conduct({
    program,
    reports,
    reporters,
    verbose: options['verbose'] === true,
    output: { write: terminal.out, colour: terminal.colours.out, live: terminal.isTerminal && terminal.env['CI'] === undefined, columns: terminal.columns },
    ...(record !== undefined && { record }),
    options: {
      root: session.root,
      variables: session.variables,
      environment: { ...(env !== undefined && { name: env }), ...(dotenv !== undefined && { file: dotenv }) },
      settings,
      dryRun: options['dry-run'] === true,
      failFast: options['fail-fast'] === true,
      once: options['once'] === true,
      workers: count(options, 'workers'),
      retries: count(options, 'retries'),
      repeat: count(options, 'repeat'),
      ...(selected.steps && { chosen: selected.steps }),
    },
  }, session.host);
  if (options['dry-run'] !== true) await rememberRun(state, outcome);
  if (options['json']) terminal.out(`${JSON.stringify(outcome, null, 2)}\n`);
  for (const { file } of reports) if (file !== undefined) terminal.err(`${join(file)} written\n`);
  return status;
}

/** Loaded when asked for: starting processes takes modules of Node that nothing else here needs. */
async function runEach(programs: readonly string[], args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { runPrograms } = await import('./run-programs.ts');
  return runPrograms(programs, args, terminal);
}

function worse(left: ExitStatus, right: ExitStatus): ExitStatus {
  return left === 0 ? right : right > left ? right : left;
}

async function nothingNamed(terminal: Terminal): Promise<Error> {
  const files = (await actionFilesIn(terminal.cwd)).slice(0, 20).map(({ path }) => path.slice(terminal.cwd.length + 1));
  return fail.nothingToRun({ files: files.length === 0 ? 'none' : files.join(', ') });
}
