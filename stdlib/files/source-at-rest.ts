import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

/**
 * The content of a file, which must stay as it is until the end: one that is written to, replaced, cut or extended on
 * the way fails, so that nobody keeps a mixture of two states. Chunks share buffers: use each before asking for the
 * next.
 */
export async function* sourceAtRest(
  files: Files,
  path: string,
  options: { readonly chunk?: number; readonly signal?: AbortSignal } = {},
): AsyncGenerator<Uint8Array> {
  const before = await files.stat(path);
  let read = 0;
  for await (const chunk of files.stream(path, { ...options, reuse: true })) {
    read += chunk.length;
    // One that grows as fast as it is read would never end.
    if (read > before.size) throw fail.sourceChanged({ path });
    yield chunk;
  }
  const after = await files.find(path);
  if (
    after === undefined ||
    read !== before.size ||
    after.size !== before.size ||
    after.mtime_ms !== before.mtime_ms ||
    after.ino !== before.ino
  ) {
    throw fail.sourceChanged({ path });
  }
}
