import { join, relative } from 'node:path';

import { printableLine } from '#grammar/source/printable.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { Host } from '#schemas/types/host.ts';

import { isRunId, keptReport, readReport, runsWithReports } from '#compiler/engine/kept/reports.ts';
import { rootOf } from '#compiler/engine/project-root.ts';
import { stateFolder } from '#compiler/engine/state.ts';

/** Programs that open a page, by platform. */
const openers: Readonly<Record<Host['platform'], string>> = {
  linux: 'xdg-open',
  darwin: 'open',
  win32: 'explorer.exe',
  other: 'xdg-open',
};
/** Number of runs that a message names at most. */
const MOST_RUNS = 5;

/** Opens the page of a run where somebody looks at a terminal, else prints its path; prints reports that are text. */
export async function run({ positional, options }: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const [word] = positional;
  const place = word !== undefined && !isRunId(word) && (await isThere(word, host)) ? word : undefined;
  const state = await stateFolder(await rootOf(place ?? terminal.cwd, terminal.cwd, host.files), terminal.env);
  const path = await reportFile(state, place === undefined ? word : undefined);
  const near = relative(terminal.cwd, path);
  const shown = `${printableLine(near.startsWith('..') ? path : near)}\n`;
  const isPage = path.endsWith('.html');
  if (isPage || options['path'] === true) terminal.out(shown);
  else terminal.out(await readReport(path), path.endsWith('.json') ? 'json' : 'lines');
  const isWatched = terminal.isTerminal && terminal.env['CI'] === undefined;
  if (isPage && isWatched && options['path'] !== true) await open(path, host);
  return 0;
}

/** A word that no path can be, too long or with a NUL in it, is nothing that is there. */
function isThere(word: string, { files }: Host): Promise<boolean> {
  return files.find(word).then(
    (found) => found !== undefined,
    () => false,
  );
}

async function reportFile(state: string, run: string | undefined): Promise<string> {
  const path = await keptReport(state, run);
  if (path !== undefined) return path;
  const runs = await runsWithReports(state);
  if (run === undefined || runs.length === 0) throw fail.noReport({ path: join(state, 'reports') });
  throw fail.noReportOfRun({ run, runs: runs.slice(0, MOST_RUNS).join(', ') });
}

/** The path is printed already: where nothing opens it, somebody can. */
async function open(path: string, { processes, platform }: Host): Promise<void> {
  const program = processes.find([openers[platform]]);
  if (program === undefined) return;
  await processes.run(program, [path], { output: 'drop', timeout_ms: 10_000 }).catch(() => undefined);
}
