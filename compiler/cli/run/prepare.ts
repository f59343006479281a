import type { Part, SelectedPart } from '#compiler/engine/run/part.ts';
import { readSelection } from '#compiler/engine/run/read-selection.ts';
import { selectParts, sourcePart } from '#compiler/engine/run/parts.ts';
import { runSettings, type RunSettings } from '#compiler/engine/run/settings.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { compileFor, openSession, printFindings, type Session } from '../session.ts';
import { settingsOf } from './settings.ts';
import { selectionText, writtenSelection } from './written-selection.ts';

export interface PreparedRun {
  readonly session: Session;
  readonly parts: readonly SelectedPart[];
}

/** Everything up to the first step. Yields an exit status where there is nothing to run. */
export async function prepareRun(args: ParsedArguments, terminal: Terminal): Promise<PreparedRun | ExitStatus> {
  const programs = [...new Set(args.positional.filter((path) => path.endsWith('.mjs')))];
  const sources = args.positional.filter((path) => !path.endsWith('.mjs'));
  const session = await openSession({ ...args, positional: sources }, terminal);
  const own = sources.length === 0 ? undefined : await sourcesPart(session, args, terminal);
  if (typeof own === 'number') return own;
  await session.state();
  const parts = [...(own ? [own] : []), ...(await programParts(programs, args, terminal))];
  const running = selectParts(parts, await readSelection(writtenSelection(args), session), session.host);
  return running.length === 0 ? emptySelection(args, parts) : { session, parts: running };
}

/** The action files, compiled. Yields an exit status where errors keep everything from running. */
async function sourcesPart(session: Session, args: ParsedArguments, terminal: Terminal): Promise<Part | ExitStatus> {
  const compilation = await compileFor('run', session);
  printFindings(compilation.diagnostics, compilation.files, session, terminal);
  if (compilation.hasErrors && args.options['no-validate-first'] !== true) return 1;
  return sourcePart(compilation, session, runSettings(session.configuration.settings, settingsOf(args)));
}

async function programParts(
  paths: readonly string[],
  args: ParsedArguments,
  { cwd }: Terminal,
): Promise<readonly Part[]> {
  if (paths.length === 0) return [];
  if (args.options['list']) {
    const { listedProgram } = await import('#compiler/engine/run/listed-program.ts');
    return Promise.all(paths.map((path) => listedProgram(path, cwd)));
  }
  const { programPart } = await import('#compiler/engine/run/program-part.ts');
  const given: RunSettings = settingsOf(args);
  const parts: Part[] = [];
  for (const path of paths) parts.push(await programPart(path, cwd, given));
  return parts;
}

function emptySelection(args: ParsedArguments, parts: readonly Part[]): ExitStatus {
  if (args.options['pass-if-empty']) return 0;
  throw fail.nothingSelected({
    selection: selectionText(args),
    count: parts.reduce((sum, { listed }) => sum + listed.size, 0),
  });
}
