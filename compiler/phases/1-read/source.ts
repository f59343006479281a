import type { CompileContext } from '#compiler/context.ts';
import { DEFAULT_LIMITS } from '#grammar/document/limits.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { SourceId } from '#schemas/types/place.ts';

/** Undefined where the file cannot be read, or is larger than a file may be; which has then been reported. */
export async function readSource(
  path: string,
  source: SourceId,
  { host, options, report }: CompileContext,
): Promise<Uint8Array | undefined> {
  const at: Label = { source, route: [], part: { text: { start: 0, end: 0 } } };
  const limit = options.limits?.bytes ?? DEFAULT_LIMITS.bytes;
  try {
    const { size } = await host.files.stat(path);
    if (size <= limit) return await host.files.read(path);
    report(d.fileTooLarge({ at, bytes: size, limit }));
  } catch (error) {
    report(d.fileUnreadable({ at, reason: error instanceof Error ? error.message : String(error) }));
  }
  return undefined;
}
