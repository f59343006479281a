import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { printableLine } from '#grammar/source/printable.ts';
import { projectRoot, STDIN } from '#compiler/phases/4-resolve/files.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { keptName } from '#runtime/program/reports.ts';
import { reporterNames } from '#runtime/reporters/names.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { Host } from '#schemas/types/host.ts';

import { reportsOfRun, runsWithReports } from '#compiler/engine/kept-reports.ts';
import { stateFolder } from '#compiler/engine/state.ts';

const PAGE = keptName('html');
/** What a page is opened with, by platform. */
const openers: Readonly<Record<Host['platform'], string>> = {
  linux: 'xdg-open',
  darwin: 'open',
  win32: 'explorer.exe',
  other: 'xdg-open',
};
/** How many runs a message names. */
const MOST_RUNS = 5;

/** Opens the page of a run where somebody looks at a terminal, else prints its path; prints reports that are text. */
export async function run({ positional, options }: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const state = await stateFolder(await projectRoot(STDIN, host), terminal.env);
  const path = await reportFile(state, positional[0]);
  const near = relative(terminal.cwd, path);
  const shown = `${printableLine(near.startsWith('..') ? path : near)}\n`;
  const isPage = path.endsWith(PAGE);
  if (options['path'] === true) terminal.out(shown);
  else if (!isPage) terminal.out(await readFile(path, 'utf8'), path.endsWith('.json') ? 'json' : 'lines');
  else {
    terminal.out(shown);
    if (terminal.isTerminal && terminal.env['CI'] === undefined) await open(path, host);
  }
  return 0;
}

/** The file to show of a run: the page, else the first of the others. */
async function reportFile(state: string, run: string | undefined): Promise<string> {
  const folder = await reportsOfRun(state, run);
  if (folder !== undefined) {
    for (const name of [PAGE, ...reporterNames.map(keptName)]) {
      const path = join(folder, name);
      if ((await stat(path).catch(() => undefined))?.isFile()) return path;
    }
  }
  const runs = await runsWithReports(state);
  if (run === undefined || runs.length === 0) throw fail.noReport({ path: join(state, 'reports') });
  throw fail.noReportOfRun({ run, runs: runs.slice(0, MOST_RUNS).join(', ') });
}

/** The path is printed already: where nothing opens it, somebody can. */
async function open(path: string, { processes, platform }: Host): Promise<void> {
  const program = processes.find([openers[platform]]);
  if (program !== undefined) await processes.run(program, [path], { output: 'drop', timeout_ms: 10_000 }).catch(() => undefined);
}
