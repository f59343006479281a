import type { Compilation } from '#compiler/api.ts';
import type { RunPart, SelectedPart } from '#compiler/engine/run/part.ts';
import { failForNames, readSelection } from '#compiler/engine/run/read-selection.ts';
import type { Selection } from '#compiler/engine/run/selection.ts';
import { selectParts, sourcePart, unitsOfFiles } from '#compiler/engine/run/parts.ts';
import { settingsGiven } from '#compiler/engine/run/read-request.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { keepApart, keepInputs } from '../keep-inputs.ts';
import { many, one } from '../options.ts';
import { compileFor, openWorkspace, openWorkspaces, printFindings, type Workspace } from '../workspace.ts';
import { together } from '../together.ts';
import { tellRefusal } from './refusal.ts';
import { requestOf, selectionText, type WrittenRequest } from './request.ts';

export interface PreparedRun {
  readonly workspace: Workspace;
  readonly parts: readonly SelectedPart[];
  readonly request: WrittenRequest;
}

/** Everything up to the first step. Yields an exit status where nothing may run or was selected. */
export async function prepareRun(args: ParsedArguments, terminal: Terminal): Promise<PreparedRun | ExitStatus> {
  const request = requestOf(args);
  const programs = [...new Set(args.positional.filter((path) => path.endsWith('.mjs')))];
  const sources = args.positional.filter((path) => !path.endsWith('.mjs'));
  const workspaces = sources.length === 0 ? [] : await openWorkspaces({ ...args, positional: sources }, terminal);
  const outputs = outputsOf(args);
  keepApart(outputs, terminal.cwd);
  keepInputs(
    outputs,
    [...workspaces.flatMap((each) => each.sources.map(({ path }) => path)), ...programs, ...readBeside(args)],
    terminal.cwd,
  );
  const own = await sourceParts(workspaces, request, args, terminal);
  if (typeof own === 'number') return own;
  const [only, ...others] = workspaces;
  const workspace = only && others.length === 0 ? only : await openWorkspace(args, terminal);
  await workspace.state();
  const parts = [...own, ...(await programParts(programs, request, args, terminal))];
  const selection = await readSelection(request.selection, workspace);
  const running = selectParts(parts, selection, workspace.host);
  return running.length === 0 ? emptySelection(args, parts, selection) : { workspace, parts: running, request };
}

/** Files that the options have written. */
function outputsOf({ options }: ParsedArguments): readonly (string | undefined)[] {
  const reports = many(options, 'reporter').map((reporter) => /=(.+)$/s.exec(reporter)?.[1]);
  return [...reports, one(options, 'record'), one(options, 'coverage-report')];
}

/** Files beside the action files that the options have read. */
function readBeside({ options }: ParsedArguments): readonly (string | undefined)[] {
  return [one(options, 'dotenv'), one(options, 'openapi')];
}

/** The action files of each project, compiled. Yields an exit status where errors keep everything from running. */
async function sourceParts(
  workspaces: readonly Workspace[],
  request: WrittenRequest,
  args: ParsedArguments,
  terminal: Terminal,
): Promise<readonly RunPart[] | ExitStatus> {
  const compilations = await withoutTwins(workspaces);
  const { diagnostics, files } = together(compilations, workspaces, terminal.cwd);
  const located = printFindings(diagnostics, files, workspaces, terminal);
  if (compilations.some(({ hasErrors }) => hasErrors) && isValidatedFirst(args)) {
    if (!args.options['list']) await tellRefusal({ workspaces, compilations, located, files }, args, terminal);
    return 1;
  }
  const listed = new Set(workspaces.flatMap(({ sources }) => sources.map(({ path }) => path)));
  return compilations.flatMap((compilation, index) => {
    const workspace = workspaces[index];
    return workspace && compilation.files.length > 0 ? [partOf(compilation, workspace, listed, request)] : [];
  });
}

/** Both options given: the careful one counts. */
function isValidatedFirst({ options }: ParsedArguments): boolean {
  return options['no-validate-first'] !== true || options['validate-first'] === true;
}

/**
 * Compiles each project; a file of another project on which files depend runs there, once; a circle between
 * projects is an error of each.
 */
async function withoutTwins(workspaces: readonly Workspace[]): Promise<readonly Compilation[]> {
  const alone = await Promise.all(workspaces.map((workspace) => compileFor('run', workspace)));
  const pulledIn = new Set(
    alone.flatMap(({ files }) => files.filter((file) => file.isPulledIn).map(({ path }) => path)),
  );
  if (workspaces.length < 2 || alone.some(({ hasErrors }) => hasErrors)) return alone;
  return Promise.all(
    workspaces.map(async (workspace, index) => {
      const sources = workspace.sources.filter(({ path }) => !pulledIn.has(path));
      const known = sources.length === workspace.sources.length ? alone[index] : undefined;
      return known ?? compileFor('run', { ...workspace, sources });
    }),
  );
}

function partOf(
  compilation: Compilation,
  workspace: Workspace,
  listed: ReadonlySet<string>,
  request: WrittenRequest,
): RunPart {
  const part = sourcePart(
    compilation,
    workspace,
    runSettings(workspace.configuration.settings, settingsGiven(request)),
  );
  const asked = compilation.files.filter(({ path, source }) => listed.has(path) && !compilation.isBroken(source));
  return {
    ...part,
    listed: unitsOfFiles(
      part.units,
      asked.map(({ source }) => source),
    ),
  };
}

async function programParts(
  paths: readonly string[],
  request: WrittenRequest,
  args: ParsedArguments,
  { cwd }: Terminal,
): Promise<readonly RunPart[]> {
  if (paths.length === 0) return [];
  if (args.options['list']) {
    const { listedProgram } = await import('#compiler/engine/run/listed-program.ts');
    return Promise.all(paths.map((path) => listedProgram(path, cwd)));
  }
  const { programPart } = await import('#compiler/engine/run/program-part.ts');
  const given = settingsGiven(request);
  const parts: RunPart[] = [];
  for (const path of paths) parts.push(await programPart(path, cwd, given));
  return parts;
}

function emptySelection(args: ParsedArguments, parts: readonly RunPart[], selection: Selection): ExitStatus {
  if (args.options['pass-if-empty']) return 0;
  const listed = parts.flatMap(({ units, listed: sources }) => units.filter(({ source }) => sources.has(source)));
  failForNames(listed, selection);
  throw fail.nothingSelected({
    selection: selectionText(args),
    count: parts.reduce((sum, { listed }) => sum + listed.size, 0),
  });
}
