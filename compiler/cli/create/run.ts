import { lstat, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { printableLine } from '#grammar/source/printable.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { writeOutput } from '#compiler/engine/write-output.ts';
import { answer } from '../answer.ts';
import { need } from '../options.ts';
import { readSchema } from '#compiler/engine/schemas.ts';
import { files, SCHEMA } from './files.ts';
import { pluginFiles } from './plugin-files.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const name = args.positional[0] ?? '';
  const folder = resolve(terminal.cwd, name);
  // An unset variable of a shell is no folder.
  need(name !== '', 'create', 'NAME');
  const isPlugin = args.options['plugin'] === true;
  const all = isPlugin ? pluginFiles(basename(folder)) : { ...files, [SCHEMA]: await readSchema('action-file') };
  // A folder may be there; what is in it stays.
  const present = args.options['force'] === true ? undefined : await presentOf(Object.keys(all), folder);
  if (present !== undefined) throw fail.alreadyThere({ path: join(name, present) });
  for (const [file, content] of Object.entries(all)) await writeOutput(join(folder, file), content, [terminal.cwd]);
  const written = Object.keys(all).map((file) => join(name, file));
  const next = isPlugin ? `npm pack ${shellWord(`./${name}`)}` : `svc run ${shellWord(name)}`;
  answer({ files: written }, () => `${written.map(printableLine).join('\n')}\n\nNext: ${next}\n`, args, terminal);
  return 0;
}

/** The first of the files that is there already, or the folder where that is none. */
async function presentOf(names: readonly string[], folder: string): Promise<string | undefined> {
  const found = await stat(folder).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) return '';
  for (const name of names) if (await lstat(join(folder, name)).catch(() => undefined)) return name;
  return undefined;
}

/** A word as a shell takes it. */
function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${printableLine(text).replaceAll("'", String.raw`'\''`)}'`;
}
