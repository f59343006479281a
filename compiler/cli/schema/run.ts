import { join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { nearest } from '#compiler/engine/nearest.ts';
import { list } from '../parse-arguments.ts';
import { writeOutput } from '#compiler/engine/write-output.ts';
import { readSchema, schemaNames } from '#compiler/engine/schemas.ts';

export async function run({ options }: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const only = options['only'];
  if (typeof only === 'string' && !schemaNames.includes(only))
    throw fail.unknownSchema({ name: only, allowed: list(schemaNames), ...nearest(only, schemaNames) });
  const wanted = typeof only === 'string' ? [only] : schemaNames;
  const out = options['out'];
  if (typeof out === 'string') return writeAll(wanted, resolve(terminal.cwd, out), terminal);
  if (wanted.length > 1) throw fail.argumentMissing({ verb: 'schema export', argument: '--out DIR or --only NAME' });
  for (const name of wanted) terminal.out(await readSchema(name), 'json');
  return 0;
}

async function writeAll(names: readonly string[], folder: string, terminal: Terminal): Promise<ExitStatus> {
  for (const name of names)
    await writeOutput(join(folder, `${name}.schema.json`), await readSchema(name), [terminal.cwd, folder]);
  terminal.err(`${names.length} schemas in ${folder}\n`);
  return 0;
}
