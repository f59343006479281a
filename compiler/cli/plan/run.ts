import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { compileFor, openSession, printFindings } from '../session.ts';
import { dot, mermaid } from './graph.ts';
import { planText } from './text.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const session = await openSession(args, terminal);
  const compilation = await compileFor('plan', session);
  printFindings(compilation.diagnostics, compilation.files, session, terminal);
  if (compilation.hasErrors) return 1;
  const { plan, text } = compilation.seal();
  const format = args.options['json'] ? 'json' : one(args.options, 'format');
  if (format === 'json') terminal.out(`${text}\n`, 'json');
  else if (format === 'mermaid') terminal.out(mermaid(plan));
  else if (format === 'dot') terminal.out(dot(plan));
  else terminal.out(planText(plan));
  return 0;
}
