import { resolve } from 'node:path';

import type { Document } from '#grammar/document/document.ts';
import type { SourceId } from '#schemas/types/place.ts';

import type { CompileContext } from './context.ts';
import type { Source } from './load.ts';
import { read, readSource } from './phases/1-read/index.ts';
import { sourceIdOf, STDIN } from './phases/4-resolve/files.ts';

export interface FormattedFile {
  readonly source: SourceId;
  readonly path: string;
  /** Text of the file. */
  readonly text: string;
  readonly document?: Document;
  /** Text in the one style; absent where the file cannot be read without errors. */
  readonly formatted?: string;
}

/** Lays out each file as one style wants it. The meaning of a file is not looked at, only whether it can be read. */
export async function formatFiles(
  sources: readonly Source[],
  width: number | undefined,
  context: CompileContext,
): Promise<readonly FormattedFile[]> {
  const { formatDocument } = await import('#grammar/document/format/format.ts');
  const files = new Map<SourceId, FormattedFile>();
  for (const { path: written, content } of sources) {
    const path = written === STDIN ? STDIN : resolve(context.host.cwd, written);
    const source = sourceIdOf(path, context.root);
    if (files.has(source)) continue;
    const bytes = content ?? (await readSource(path, source, context));
    if (bytes === undefined) {
      files.set(source, { source, path, text: '' });
      continue;
    }
    const { limits } = context.options;
    const { document, text, diagnostics } = await read(bytes, { source, ...(limits && { limits }) });
    diagnostics.forEach(context.report);
    const isSound = diagnostics.every(({ severity }) => severity !== 'error');
    files.set(source, {
      source,
      path,
      text,
      ...(document && { document }),
      ...(document && isSound && { formatted: await formatDocument(document, width) }),
    });
  }
  return [...files.values()];
}
