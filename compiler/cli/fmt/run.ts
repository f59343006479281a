import { format, type Formatted, type FormattedFile } from '#compiler/api.ts';
import { maskFor } from '#compiler/engine/mask.ts';
import { human } from '#compiler/report/human.ts';
import { json } from '#compiler/report/json.ts';
import { locate } from '#compiler/report/locate.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { counted } from '#grammar/source/counted.ts';

import { difference } from '../migrate/difference.ts';
import { count } from '../options.ts';
import { openWorkspaces, paperOf, type Workspace } from '../workspace.ts';
import { together } from '../together.ts';
import { oneOutput, writeSources } from '../write-sources.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options } = args;
  if (options['write']) {
    if (options['json']) oneOutput('--write', args, 'json');
    if (options['diff']) oneOutput('--write', args, 'diff');
  }
  const width = count(options, 'width');
  const workspaces = await openWorkspaces(args, terminal);
  const formatted: Formatted[] = [];
  for (const { sources, compileOptions, host } of workspaces)
    formatted.push(await format(sources, { ...compileOptions, width }, host));
  const { files, diagnostics } = together(formatted, workspaces, terminal.cwd);
  const changed = files.filter(isChanged);
  report({ files, diagnostics }, workspaces, args, terminal);
  if (options['write']) await write(formatted, workspaces, terminal);
  show(changed, args, terminal);
  const verb = options['write'] ? 'changed' : 'would change';
  terminal.err(
    changed.length === 0 ? 'nothing to lay out\n' : `${changed.length} of ${counted(files.length, 'file')} ${verb}\n`,
  );
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  return isBroken || (options['check'] === true && changed.length > 0) ? 1 : 0;
}

function isChanged({ text, formatted }: FormattedFile): boolean {
  return formatted !== undefined && formatted !== text;
}

function report(
  { files, diagnostics }: Omit<Formatted, 'root'>,
  workspaces: readonly Workspace[],
  { options }: ParsedArguments,
  terminal: Terminal,
): void {
  const texts = new Map(files.map(({ source, text, document }) => [source, { text, ...(document && { document }) }]));
  const located = locate(diagnostics, texts, maskFor(workspaces, files));
  if (options['json']) terminal.out(json(located, texts, files.length), 'json');
  else terminal.err(human(located, paperOf(terminal)));
}

async function write(
  formatted: readonly Formatted[],
  workspaces: readonly Workspace[],
  terminal: Terminal,
): Promise<void> {
  for (const [index, workspace] of workspaces.entries()) {
    const { files = [] } = formatted[index] ?? {};
    const after = new Map(files.filter(isChanged).map(({ path, text, formatted: now = text }) => [path, now]));
    await writeSources(files, after, terminal, workspace);
  }
}

/** The differences, or with `--check` the names alone. */
function show(changed: readonly FormattedFile[], { options }: ParsedArguments, terminal: Terminal): void {
  if (options['json']) return;
  const isDifference = options['diff'] === true || !(options['write'] || options['check']);
  for (const { source, text, formatted = text } of changed) {
    if (isDifference) terminal.out(difference(source, text, formatted));
    else if (options['check']) terminal.out(`${source}\n`);
  }
}
