import { resolve } from 'node:path';

import { migrate } from '#compiler/api.ts';
import { human } from '#compiler/report/human.ts';
import { json } from '#compiler/report/json.ts';
import { locate } from '#compiler/report/locate.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { openSession } from '../session.ts';
import { writeOutput } from '../write-output.ts';
import { difference } from './difference.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { sources, compileOptions, host } = await openSession(args, terminal);
  const { files, diagnostics } = await migrate(sources, compileOptions, host);
  const changed = files.filter(({ edits }) => edits.length > 0);
  const broken = diagnostics.some(({ severity }) => severity === 'error');
  const texts = new Map(files.map(({ source, text, document }) => [source, { text, ...(document && { document }) }]));
  if (args.options['json']) terminal.out(json(locate(diagnostics, texts), texts, files.length));
  // What is changed shows in the difference; what is wrong would not.
  else terminal.err(human(locate(diagnostics.filter(({ severity }) => severity === 'error'), texts), { colour: terminal.colours.err }));
  for (const { source, path, text, edits } of changed) {
    const after = applyEdits(text, edits);
    if (args.options['write']) await write(path, source, after, terminal);
    else if (!args.options['json']) terminal.out(difference(source, text, after));
  }
  terminal.err(`${changed.length === 0 ? 'nothing to migrate' : `${changed.length} of ${files.length} files ${args.options['write'] ? 'changed' : 'would change'}`}\n`);
  return broken || (args.options['check'] === true && changed.length > 0) ? 1 : 0;
}

/** Standard input is written to standard output. */
async function write(path: string, source: string, text: string, terminal: Terminal): Promise<void> {
  if (source === '<stdin>') terminal.out(text);
  else await writeOutput(resolve(terminal.cwd, path), text);
}
