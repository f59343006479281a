import { count, human } from '#compiler/report/human.ts';
import { locate } from '#compiler/report/locate.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { compileFor, openWorkspaces, paperOf } from '../workspace.ts';
import { together } from '../together.ts';
import { maskFor } from '#compiler/engine/mask.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const workspaces = await openWorkspaces(args, terminal);
  const compilations = await Promise.all(workspaces.map((workspace) => compileFor('check', workspace)));
  const { diagnostics, files } = together(compilations, workspaces, terminal.cwd);
  const sources = sourcesOf(files);
  const located = locate(diagnostics, sources, maskFor(workspaces, files));
  // Machine output knows how to edit files for fixes, which takes the YAML reader: people's output does not wait for it.
  if (args.options['json'])
    terminal.out((await import('#compiler/report/json.ts')).json(located, sources, files.length), 'json');
  else if (located.length === 0) terminal.err(`${count(located, files.length)}\n`);
  else terminal.err(human(located, { ...paperOf(terminal), files: files.length }));
  return compilations.some(({ hasErrors }) => hasErrors) ? 1 : 0;
}
