import type { CompileContext } from '#compiler/context.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { SourceId } from '#schemas/types/place.ts';

/** Undefined where the file cannot be read, or is larger than a file may be; which has then been reported. */
export async function readSource(
  path: string,
  source: SourceId,
  { reader, report }: CompileContext,
): Promise<Uint8Array | undefined> {
  const at: Label = { source, route: [], part: { text: { start: 0, end: 0 } } };
  try {
    const found = await reader.find(path);
    if (found?.kind !== 'file' || found.size <= reader.limit) return await reader.read(path);
    report(d.fileTooLarge({ at, bytes: found.size, limit: reader.limit }));
  } catch (error) {
    report(d.fileUnreadable({ at, reason: error instanceof Error ? error.message : String(error) }));
  }
  return undefined;
}
