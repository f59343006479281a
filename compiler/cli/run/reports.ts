import { join, relative, resolve } from 'node:path';

import { printableLine } from '#grammar/source/printable.ts';
import type { RunOutcome } from '#runtime/kernel/events.ts';
import type { Conduct } from '#runtime/program/execute.ts';
import { readReportRequest, withHuman, type ReportRequest } from '#runtime/program/reports.ts';
import { reporterNames } from '#runtime/reporters/names.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { many, one } from '../options.ts';
import { nearest } from '#compiler/engine/nearest.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Reporters of the command line, else of the configuration; people are told unless one of them writes where they read,
 * or `--json` asks for machine output. Files are named from the working directory, those of the configuration from the
 * project root; a page without a name goes to `folder`.
 */
export function reportsOf(
  { options }: ParsedArguments,
  { configuration, root }: Workspace,
  terminal: Terminal,
  folder: string,
): readonly ReportRequest[] {
  const given = many(options, 'reporter');
  const base = given.length > 0 ? terminal.cwd : root;
  const names = given.length > 0 ? given : configuration.reporters;
  const dir = one(options, 'report-dir');
  const requests = names.map((name): ReportRequest => {
    known(name);
    const request = readReportRequest(name, dir === undefined ? undefined : resolve(terminal.cwd, dir));
    if (request.file === undefined) return request;
    const isNamed = name.includes('=') || dir !== undefined;
    return { ...request, file: isNamed ? resolve(base, request.file) : join(folder, request.file) };
  });
  return options['json'] ? requests : withHuman(requests);
}

/** Output of reporters without a file: beside machine output there is only standard error left. */
export function outputOf(terminal: Terminal, asJson: boolean): NonNullable<Conduct['output']> {
  const live = terminal.isTerminal && terminal.env['CI'] === undefined && !asJson;
  if (asJson) return { write: terminal.err, colour: terminal.colours.err, live, columns: terminal.columns };
  return { write: terminal.out, colour: terminal.colours.out, live, columns: terminal.columns };
}

/** Tells which files have been written. */
export function tellReports(reports: readonly ReportRequest[], { refused }: RunOutcome, terminal: Terminal): void {
  if (refused) return;
  for (const { file } of reports) {
    if (file === undefined) continue;
    const near = relative(terminal.cwd, file);
    terminal.err(`${printableLine(near.startsWith('..') ? file : near)} written\n`);
  }
}

/** The nearest names are offered for one that nothing is called. */
function known(given: string): void {
  const [name = ''] = given.split('=', 1);
  if (!reporterNames.some((candidate) => candidate === name))
    throw fail.unknownReporter({ name, allowed: reporterNames.join(', '), ...nearest(name, reporterNames) });
}
