import type { Compilation, Source } from '#compiler/api.ts';
import { compileSources, type CompilePurpose } from '#compiler/engine/compile-project.ts';
import { openProject, type Project } from '#compiler/engine/project.ts';
import { rootOf, rootsOf } from '#compiler/engine/project-root.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import { human } from '#compiler/report/human.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { readVariables } from '#runtime/program/arguments.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Host } from '#schemas/types/host.ts';

import { readInputs, type Input } from './inputs.ts';
import { many, one } from './options.ts';
import { maskFor } from '#compiler/engine/mask.ts';

/** A project with the sources that PATHs of a command line name. */
export interface Session extends Project {
  readonly sources: readonly Source[];
}

/** What is the same for all projects of a command line. */
interface Around {
  readonly args: ParsedArguments;
  readonly host: Host;
  /** Project roots of everything that was named. */
  readonly roots: readonly string[];
}

/**
 * Reads the inputs that a command line names, with the configuration of their project. Files of several projects are one
 * session for each root, in the order in which the roots were named: what is made of a file is what is made of it alone.
 * A file that several PATHs name is of the outermost of their projects, in whatever order they stand.
 */
export async function openSessions(args: ParsedArguments, terminal: Terminal): Promise<readonly Session[]> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const named = await rootsOf(args.positional, terminal.cwd, host.files);
  const found = new Map<string, { readonly root: string; readonly input: Input }>();
  for (const path of args.positional) {
    const root = await rootOf(path, terminal.cwd, host.files);
    const { reader } = await sessionAt(root, [], { args, host, roots: named });
    for (const input of await readInputs([path], terminal, { reader, files: host.files })) {
      const other = found.get(input.path);
      if (other === undefined || root.length < other.root.length) found.set(input.path, { root, input });
    }
  }
  const byRoot = Map.groupBy(found.values(), ({ root }) => root);
  const roots = [...new Set([...named, ...byRoot.keys()])];
  const sessions: Session[] = [];
  for (const [root, own] of byRoot) {
    const inputs = own.map(({ input }) => input);
    sessions.push(await sessionAt(root, inputs, { args, host, roots }));
  }
  return sessions.length > 0 ? sessions : [await openSession(args, terminal)];
}

/** The session of the working directory's project, without inputs. */
export async function openSession(args: ParsedArguments, terminal: Terminal): Promise<Session> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const root = await rootOf('-', terminal.cwd, host.files);
  return sessionAt(root, [], { args, host, roots: [root] });
}

async function sessionAt(
  root: string,
  inputs: readonly Input[],
  { args: { options }, host, roots }: Around,
): Promise<Session> {
  const name = one(options, 'env');
  const file = one(options, 'dotenv');
  const project = await openProject(root, host, {
    others: roots.filter((other) => other !== root),
    environment: { ...(name !== undefined && { name }), ...(file !== undefined && { file }) },
    variables: readVariables(many(options, 'var')),
  });
  return { ...project, sources: inputs.map(({ path, bytes: content }) => ({ path, ...(content && { content }) })) };
}

export function compileFor(purpose: CompilePurpose, session: Session): Promise<Compilation> {
  return compileSources(purpose, session.sources, session);
}

/** Prints findings for people on standard error; yields them with their places. */
export function printFindings(
  diagnostics: readonly Diagnostic[],
  files: Compilation['files'],
  sessions: readonly Session[],
  terminal: Terminal,
): readonly Located[] {
  if (diagnostics.length === 0) return [];
  const located = locate(diagnostics, sourcesOf(files), maskFor(sessions, files));
  const text = human(located, {
    ...paperOf(terminal),
    files: files.length,
  });
  if (text !== '') terminal.err(text);
  return located;
}

/** How findings are printed on standard error: in colours, and where it is a terminal on its width. */
export function paperOf({ colours, isTerminal, columns }: Terminal): {
  readonly colour: boolean;
  readonly columns?: number;
} {
  return { colour: colours.err, ...(isTerminal && { columns }) };
}
