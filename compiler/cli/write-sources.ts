import type { LoadedFile } from '#compiler/api.ts';
import type { Reader } from '#compiler/reader.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { writeOutput } from '#compiler/engine/write-output.ts';
import type { Workspace } from './workspace.ts';

type Source = Pick<LoadedFile, 'path' | 'text' | 'document'>;

/** Writes changed texts back where they came from; of standard input always to standard output, changed or not. */
export async function writeSources(
  sources: readonly Source[],
  changed: ReadonlyMap<string, string>,
  terminal: Terminal,
  { reader, bounds }: Pick<Workspace, 'reader' | 'bounds'>,
): Promise<void> {
  for (const { path, text, document } of sources) {
    const now = changed.get(path);
    const mark = document?.hadByteOrderMark ? '\ufeff' : '';
    // Bytes that were no text cannot be given back.
    if (path === '<stdin>')
      terminal.out(document === undefined && text.includes('\ufffd') ? '' : mark + (now ?? text), 'file');
    else if (now !== undefined) await writeOutput(await targetOf(path, reader), mark + now, bounds);
  }
}

/** The file that a link inside of the project names: the link stays. One that leads out by now is refused. */
async function targetOf(path: string, reader: Reader): Promise<string> {
  const found = await reader.find(path);
  if (found?.kind === 'refused') throw fail.inputOutside({ path });
  return found?.path ?? path;
}

/** Standard input that is written back leaves no room for machine output. */
export function oneOutput(flag: string, { positional }: ParsedArguments, format: string | undefined): void {
  if (format !== undefined && positional.includes('-')) throw fail.twoOutputs({ first: flag, second: `"${format}"` });
}
