import type { Compilation, Source } from '#compiler/api.ts';
import { compileSources, type CompilePurpose } from '#compiler/engine/compile-project.ts';
import { openProject, type Project } from '#compiler/engine/project.ts';
import { rootsOf } from '#compiler/engine/project-root.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import { human } from '#compiler/report/human.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { readVariables } from '#runtime/program/arguments.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';

import { readInputs } from './inputs.ts';
import { many, one } from './options.ts';
import { maskFor } from './secrets-of.ts';

/** A project with the sources that PATHs of a command line name. */
export interface Session extends Project {
  readonly sources: readonly Source[];
}

/** Opens the project of a command line and reads the inputs that it names. */
export async function openSession({ positional, options }: ParsedArguments, terminal: Terminal): Promise<Session> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const [root, ...others] = await rootsOf(positional, terminal.cwd, host.files);
  const name = one(options, 'env');
  const file = one(options, 'dotenv');
  const project = await openProject(root, host, {
    others,
    environment: { ...(name !== undefined && { name }), ...(file !== undefined && { file }) },
    variables: readVariables(many(options, 'var')),
  });
  const inputs = await readInputs(positional, terminal, { reader: project.reader, files: host.files });
  return { ...project, sources: inputs.map(({ path, bytes: content }) => ({ path, ...(content && { content }) })) };
}

export function compileFor(purpose: CompilePurpose, session: Session): Promise<Compilation> {
  return compileSources(purpose, session.sources, session);
}

/** Prints findings for people on standard error; yields them with their places. */
export function printFindings(
  diagnostics: readonly Diagnostic[],
  files: Compilation['files'],
  session: Session,
  terminal: Terminal,
): readonly Located[] {
  if (diagnostics.length === 0) return [];
  const located = locate(diagnostics, sourcesOf(files), maskFor(session, files));
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
