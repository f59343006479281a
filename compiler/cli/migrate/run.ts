import { migrate } from '#compiler/api.ts';
import { human } from '#compiler/report/human.ts';
import { json } from '#compiler/report/json.ts';
import { locate } from '#compiler/report/locate.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { counted } from '#grammar/source/counted.ts';

import { maskFor } from '#compiler/engine/mask.ts';
import { openWorkspaces, paperOf } from '../workspace.ts';
import { together } from '../together.ts';
import { oneOutput, writeSources } from '../write-sources.ts';
import { difference } from './difference.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  if (args.options['write'] && args.options['json']) oneOutput('--write', args, 'json');
  const workspaces = await openWorkspaces(args, terminal);
  const migrated = await Promise.all(
    workspaces.map(({ sources, compileOptions, host }) => migrate(sources, compileOptions, host)),
  );
  const { files, diagnostics } = together(migrated, workspaces, terminal.cwd);
  const changed = files.filter(({ edits }) => edits.length > 0);
  const broken = diagnostics.some(({ severity }) => severity === 'error');
  const texts = new Map(files.map(({ source, text, document }) => [source, { text, ...(document && { document }) }]));
  const mask = maskFor(workspaces, files);
  if (args.options['json']) terminal.out(json(locate(diagnostics, texts, mask), texts, files.length), 'json');
  // Changes show in the difference; mistakes would not.
  else
    terminal.err(
      human(
        locate(
          diagnostics.filter(({ severity }) => severity === 'error'),
          texts,
          mask,
        ),
        paperOf(terminal),
      ),
    );
  const after = new Map(changed.map(({ path, text, edits }) => [path, applyEdits(text, edits)]));
  if (args.options['write'])
    for (const [index, workspace] of workspaces.entries())
      await writeSources(migrated[index]?.files ?? [], after, terminal, workspace);
  else if (!args.options['json'])
    for (const { source, path, text } of changed) terminal.out(difference(source, text, after.get(path) ?? text));
  terminal.err(
    `${changed.length === 0 ? 'nothing to migrate' : `${changed.length} of ${counted(files.length, 'file')} ${args.options['write'] ? 'changed' : 'would change'}`}\n`,
  );
  return broken || (args.options['check'] === true && changed.length > 0) ? 1 : 0;
}
