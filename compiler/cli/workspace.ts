import { dirname, resolve } from 'node:path';

import type { Compilation, Source } from '#compiler/api.ts';
import { compileSources, type CompilePurpose } from '#compiler/engine/compile-project.ts';
import { nearest } from '#compiler/engine/nearest.ts';
import { openProject, type Project } from '#compiler/engine/project.ts';
import { rootFinder, rootOf } from '#compiler/engine/project-root.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import type { Reader } from '#compiler/reader.ts';
import { human } from '#compiler/report/human.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { readVariables } from '#runtime/program/arguments.ts';
import { requireEnvironment } from '#runtime/program/environments.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Host } from '#schemas/types/host.ts';

import { holdsActions, readInputs, type Input } from './inputs.ts';
import { many, one } from './options.ts';
import { maskFor } from '#compiler/engine/mask.ts';

/** A project with the sources that PATHs of a command line name. */
export interface Workspace extends Project {
  readonly sources: readonly Source[];
  /** Its root holds a configuration or `.git`, so that people know files by their paths from there. */
  readonly isMarked: boolean;
}

/**
 * Reads the inputs that a command line names, each with the configuration of its own project and within that. Files of
 * several projects are one workspace for each root, in the order in which they were found: what is made of a file is
 * what is made of it alone, whatever else was named and whether it was named itself or a folder above it.
 */
export async function openWorkspaces(args: ParsedArguments, terminal: Terminal): Promise<readonly Workspace[]> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const { files } = host;
  const rootOfFile = rootFinder(terminal.cwd, files);
  const projects = new Map<string, Promise<Project>>();
  const projectAt = (root: string): Promise<Project> => {
    const project = projects.get(root) ?? openAt(root, args, host);
    projects.set(root, project);
    return project;
  };
  const readerOf = async (file: string): Promise<Reader> => (await projectAt((await rootOfFile(file)).root)).reader;
  const found = new Map<string, Input>();
  for (const path of args.positional) {
    const { reader } = await projectAt(await rootOf(path, terminal.cwd, files));
    for (const input of await readInputs([path], terminal, { reader, readerOf, files }))
      if (args.options['skip-others'] !== true || holdsActions(input)) found.set(input.path, input);
  }
  const [only] = args.positional;
  if (only !== undefined && found.size === 0 && args.options['skip-others'] !== true)
    throw fail.configurationNamed({ path: only });
  const byRoot = new Map<string, { readonly inputs: Input[]; readonly isMarked: boolean }>();
  for (const input of found.values()) {
    const { root, isMarked } = await rootOfFile(input.path);
    const own = byRoot.get(root) ?? { inputs: [], isMarked };
    own.inputs.push(input);
    byRoot.set(root, own);
  }
  const roots = [...byRoot.keys()];
  const folders = [...roots, ...[...found.keys()].map((path) => dirname(path)), terminal.cwd];
  await requireNamed(args, folders, host);
  const workspaces: Workspace[] = [];
  for (const [root, { inputs, isMarked }] of byRoot)
    workspaces.push({ ...workspaceOf(await projectAt(root), inputs, isMarked), bounds: roots });
  return workspaces.length > 0 ? workspaces : [await openWorkspace(args, terminal)];
}

/** The workspace of the working directory's project, without inputs. */
export async function openWorkspace(args: ParsedArguments, terminal: Terminal): Promise<Workspace> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const root = await rootOf('-', terminal.cwd, host.files);
  await requireNamed(args, [root, terminal.cwd], host);
  return workspaceOf(await openAt(root, args, host), [], true);
}

/** Fails for an environment, or a file of one, that is named and not there. */
async function requireNamed({ options }: ParsedArguments, folders: readonly string[], host: Host): Promise<void> {
  const [name, file] = [one(options, 'env'), one(options, 'dotenv')];
  if (name !== undefined) await requireEnvironment(name, folders, host.files, nearest);
  if (file !== undefined && (await host.files.find(resolve(host.cwd, file))) === undefined)
    throw fail.environmentFileMissing({ path: file });
}

function openAt(root: string, { options }: ParsedArguments, host: Host): Promise<Project> {
  const name = one(options, 'env');
  const file = one(options, 'dotenv');
  return openProject(root, host, {
    environment: { ...(name !== undefined && { name }), ...(file !== undefined && { file }) },
    variables: readVariables(many(options, 'var')),
  });
}

function workspaceOf(project: Project, inputs: readonly Input[], isMarked: boolean): Workspace {
  const sources = inputs.map(({ path, bytes: content }) => ({ path, ...(content && { content }) }));
  return { ...project, sources, isMarked };
}

export function compileFor(purpose: CompilePurpose, workspace: Workspace): Promise<Compilation> {
  return compileSources(purpose, workspace.sources, workspace);
}

/** Prints findings for people on standard error; yields them with their places. */
export function printFindings(
  diagnostics: readonly Diagnostic[],
  files: Compilation['files'],
  workspaces: readonly Workspace[],
  terminal: Terminal,
): readonly Located[] {
  if (diagnostics.length === 0) return [];
  const located = locate(diagnostics, sourcesOf(files), maskFor(workspaces, files));
  const text = human(located, {
    ...paperOf(terminal),
    files: files.length,
  });
  if (text !== '') terminal.err(text);
  return located;
}

/** Form of findings on standard error: in colours, and where it is a terminal in its width. */
export function paperOf({ colours, isTerminal, columns }: Terminal): {
  readonly colour: boolean;
  readonly columns?: number;
} {
  return { colour: colours.err, ...(isTerminal && { columns }) };
}
