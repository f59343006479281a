import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { printableLine } from '#grammar/source/printable.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { writeOutput } from '#compiler/engine/write-output.ts';
import { answer } from '../answer.ts';
import { readSchema } from '#compiler/engine/schemas.ts';
import { files, SCHEMA } from './files.ts';
import { pluginFiles } from './plugin-files.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const name = args.positional[0] ?? '';
  const folder = resolve(terminal.cwd, name);
  if (await stat(folder).catch(() => undefined)) throw fail.alreadyThere({ path: name });
  const isPlugin = args.options['plugin'] === true;
  const all = isPlugin ? pluginFiles(basename(folder)) : { ...files, [SCHEMA]: await readSchema('action-file') };
  for (const [file, content] of Object.entries(all)) await writeOutput(join(folder, file), content, [terminal.cwd]);
  const written = Object.keys(all).map((file) => `${name}/${file}`);
  const next = isPlugin ? `npm pack ${printableLine(`./${name}`)}` : `svc run ${printableLine(name)}`;
  answer({ files: written }, () => `${written.map(printableLine).join('\n')}\n\nNext: ${next}\n`, args, terminal);
  return 0;
}
