import type { Compilation } from '#compiler/api.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { compileFor, openSessions, printFindings } from '../session.ts';
import { together } from '../together.ts';
import { dot, mermaid } from './graph.ts';
import { planText } from './text.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const sessions = await openSessions(args, terminal);
  const compilations = await Promise.all(sessions.map((session) => compileFor('plan', session)));
  const { diagnostics, files } = together(compilations, terminal.cwd);
  printFindings(diagnostics, files, sessions, terminal);
  if (compilations.some(({ hasErrors }) => hasErrors)) return 1;
  for (const compilation of compilations) print(compilation.seal(), args, terminal);
  return 0;
}

/** One plan for each project: ids of steps are paths from its root. */
function print(
  { plan, text }: ReturnType<Compilation['seal']>,
  { options }: ParsedArguments,
  terminal: Terminal,
): void {
  const format = options['json'] ? 'json' : one(options, 'format');
  if (format === 'json') terminal.out(`${text}\n`, 'json');
  else if (format === 'mermaid') terminal.out(mermaid(plan));
  else if (format === 'dot') terminal.out(dot(plan));
  else terminal.out(planText(plan));
}
