import type { Compilation } from '#compiler/api.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { catalogue } from '#compiler/catalogue.ts';
import { defaultsIn } from '#compiler/engine/defaults.ts';
import { compileFor, openWorkspaces, printFindings, type Workspace } from '../workspace.ts';
import { together } from '../together.ts';
import { dot, mermaid } from './graph.ts';
import { planText } from './text.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const workspaces = await openWorkspaces(args, terminal);
  const following = args.options['types'] === true ? await followed() : undefined;
  const compilations = await Promise.all(
    workspaces.map((workspace) => compileFor('plan', following === undefined ? workspace : following.in(workspace))),
  );
  const { diagnostics, files } = together(compilations, workspaces, terminal.cwd);
  printFindings(diagnostics, files, workspaces, terminal);
  const hasErrors = compilations.some((compilation) => compilation.hasErrors);
  if (following) terminal.out(`${JSON.stringify(compilations.flatMap(following.files), null, 2)}\n`, 'json');
  if (hasErrors || following) return hasErrors ? 1 : 0;
  for (const compilation of compilations) await print(compilation.seal(), args, terminal);
  return 0;
}

/** Notes the facts about steps while their files are compiled. */
async function followed(): Promise<{
  readonly in: (workspace: Workspace) => Workspace;
  readonly files: (compilation: Compilation) => readonly object[];
}> {
  const { Following } = await import('#compiler/engine/explained-file.ts');
  const following = new Following();
  return {
    in: (workspace) => ({ ...workspace, compileOptions: { ...workspace.compileOptions, follow: following.follow } }),
    files: (compilation) => following.files(compilation),
  };
}

/** One plan for each project: ids of steps are paths from its root. */
async function print(
  { plan, text }: ReturnType<Compilation['seal']>,
  { options }: ParsedArguments,
  terminal: Terminal,
): Promise<void> {
  const format = options['json'] ? 'json' : one(options, 'format');
  if (format === 'json') terminal.out(`${text}\n`, 'json');
  else if (format === 'mermaid') terminal.out(mermaid(plan));
  else if (format === 'dot') terminal.out(dot(plan));
  else if (options['all'] === true) terminal.out(planText(plan));
  else terminal.out(planText(plan, await defaultsIn(catalogue, Object.keys(plan.commands))));
}
