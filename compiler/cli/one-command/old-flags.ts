import type { ExitStatus, Option, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { parseArguments } from '../parse-arguments.ts';
import { runCommand } from './run-command.ts';

/** The flags of before there were verbs (specification of FA_ and AT_: legacy flags). */
const options: readonly Option[] = [
  { name: 'execute-file', short: 'e', value: 'FILE', about: 'Action file to run.' },
  { name: 'execute-dir', short: 'd', value: 'FOLDER', about: 'Folder whose action files are run.' },
  { name: 'execute-str', value: 'JSON', about: 'Actions to run.' },
  { name: 'create-project', short: 'c', value: 'PATH', about: 'Folder for a starter project.' },
];

/** Runs `svc` with these words. */
type Dispatch = (argv: readonly string[], terminal: Terminal) => Promise<ExitStatus>;

/**
 * Does what the flags ask for, in the order file, folder, text, project, each also after a failure; yields the worst
 * exit status. Names may be written with dashes or underscores. Results go to standard output as JSON.
 */
export async function runOldFlags(argv: readonly string[], terminal: Terminal, svc: Dispatch): Promise<ExitStatus> {
  if (argv.some((word) => word === '--help' || word === '-h')) return await svc(['--help'], terminal);
  const args = parseArguments(
    { name: argv[0] ?? '', group: 'Run', summary: '', arguments: [], options, examples: [] },
    argv.map(dashed),
  );
  const [file, folder, text, project] = options.map(({ name }) => one(args.options, name));
  const jobs: (() => Promise<ExitStatus>)[] = [];
  for (const path of [file, folder])
    if (path !== undefined) jobs.push(() => svc(['run', '--json', '--', path], terminal));
  if (text !== undefined)
    jobs.push(() =>
      svc(['run', '--json', '-'], {
        ...terminal,
        input: () => Promise.resolve(new TextEncoder().encode(unquoted(text))),
      }),
    );
  if (project !== undefined)
    jobs.push(() =>
      runCommand(
        'FA_create_project',
        { project_path: project },
        () => [],
        { ...args, options: { json: true } },
        terminal,
      ),
    );
  let worst: ExitStatus = 0;
  for (const job of jobs) worst = Math.max(worst, await job()) as ExitStatus;
  return worst;
}

function dashed(word: string): string {
  const [, name, value = ''] = /^(--[^=]+)(=.*)?$/s.exec(word) ?? [];
  return name === undefined ? word : name.replaceAll('_', '-') + value;
}

/**
 * Some launchers quote twice: JSON whose value is a text holds JSON once more. Text that is no JSON is reported
 * where it is read.
 */
function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
