import { resolve } from 'node:path';

import { convert, type Conversion, type ConvertedFile } from '#compiler/api.ts';
import { maskFor } from '#compiler/engine/mask.ts';
import { writeOutput } from '#compiler/engine/write-output.ts';
import { human } from '#compiler/report/human.ts';
import { locate } from '#compiler/report/locate.ts';
import { printableLine } from '#grammar/source/printable.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { answer } from '../answer.ts';
import { need, one, outputOf } from '../options.ts';
import { openWorkspaces, paperOf, type Workspace } from '../workspace.ts';
import { oneOutput, writeSources } from '../write-sources.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options } = args;
  const wanted = wantedBy(args);
  if (options['write'] && options['json']) oneOutput('--write', args, 'json');
  const workspaces = await openWorkspaces(args, terminal);
  const [workspace] = workspaces;
  const [source, second] = workspace?.sources ?? [];
  if (workspace === undefined || source === undefined || second !== undefined || workspaces.length > 1)
    throw fail.convertOneFile({ path: args.positional[0] ?? '' });
  const { file, diagnostics } = await convert(source, { ...workspace.compileOptions, ...wanted }, workspace.host);
  const texts = new Map([[file.source, { text: file.text, ...(file.document && { document: file.document }) }]]);
  const located = locate(diagnostics, texts, maskFor(workspaces, [file]));
  if (located.length > 0) terminal.err(human(located, paperOf(terminal)));
  const { converted } = file;
  if (converted === undefined) return 1;
  for (const { line, column, text } of file.left)
    terminal.err(`${printableLine(file.source)}:${line}:${column}: ${printableLine(text)}\n`);
  await deliver({ ...file, converted }, workspace, args, terminal);
  return 0;
}

function wantedBy({ options }: ParsedArguments): Conversion {
  const given = ['to', 'params', 'form', 'engine'].flatMap((name) => {
    const value = one(options, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  need(given.length > 0, 'convert', '--to, --params, --form or --engine');
  return Object.fromEntries(given);
}

async function deliver(
  file: ConvertedFile & { readonly converted: string },
  workspace: Workspace,
  args: ParsedArguments,
  terminal: Terminal,
): Promise<void> {
  const { options } = args;
  const { converted, source, path, text, left, format } = file;
  const out = outputOf(options);
  if (out !== undefined) await writeOutput(resolve(terminal.cwd, out), converted, [terminal.cwd]);
  else if (options['write']) await writeBack(file, workspace, terminal);
  if (options['json']) {
    const changed = converted !== text;
    answer({ file: source, format, changed, text: converted, left }, () => '', args, terminal);
  } else if (out !== undefined) terminal.err(`${printableLine(out)} written\n`);
  else if (!options['write'] && path !== '') terminal.out(converted, 'file');
}

/**
 * Writes the converted file in its place; in another format beside it, and the old file goes when the new one
 * is there.
 */
async function writeBack(
  file: ConvertedFile & { readonly converted: string },
  workspace: Workspace,
  terminal: Terminal,
): Promise<void> {
  const { path, source, converted, document, format } = file;
  if (path === '<stdin>' || format === document?.format)
    return writeSources(
      [file],
      converted === file.text ? new Map() : new Map([[path, converted]]),
      terminal,
      workspace,
    );
  const target = path.replace(/\.(?:ya?ml|json)$/i, '') + (format === 'json' ? '.json' : '.yaml');
  if ((await workspace.host.files.find(target)) !== undefined) throw fail.alreadyThere({ path: target });
  await writeOutput(target, converted, workspace.bounds);
  await workspace.host.files.remove(path);
  terminal.err(`${printableLine(source)} is ${printableLine(target.slice(workspace.root.length + 1))} now\n`);
}
