import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { writeOutput } from '#compiler/engine/write-output.ts';
import { files } from './files.ts';

export async function run({ positional, options }: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const name = positional[0] ?? '';
  const folder = resolve(terminal.cwd, name);
  if (await stat(folder).catch(() => undefined)) throw fail.alreadyThere({ path: name });
  for (const [file, content] of Object.entries(files)) await writeOutput(join(folder, file), content);
  const written = Object.keys(files).map((file) => `${name}/${file}`);
  terminal.out(
    options['json']
      ? `${JSON.stringify({ files: written }, null, 2)}\n`
      : `${written.join('\n')}\n\nNext: svc run ${name}\n`,
  );
  return 0;
}
