import type { Ports } from '#runtime/kernel/ports.ts';
import { digestFile, type DigestTools } from '#stdlib/files/digest-file.ts';
import type { DigestName } from '#stdlib/files/digest-name.ts';

type Tools = DigestTools & Pick<Ports, 'progress'>;

/**
 * The digest of a file. With a name others see how far it is and can cancel it; without one it is read in the fastest
 * way.
 */
export function digestWatched(
  tools: Tools,
  path: string,
  digest: DigestName,
  { chunk, name }: { readonly chunk: number; readonly name: string | null },
): Promise<string> {
  return name === null ? digestFile(tools, path, digest, chunk) : watched(tools, path, digest, { chunk, name });
}

async function watched(
  { files, digests, progress, signal }: Tools,
  path: string,
  { openssl }: DigestName,
  { chunk, name }: { readonly chunk: number; readonly name: string },
): Promise<string> {
  const before = await files.stat(path);
  return progress.watch({ name, total: before.size, signal }, async (transfer) => {
    const digest = digests.open(openssl);
    for await (const piece of files.stream(path, { chunk, reuse: true, signal: transfer.signal })) {
      digest.update(piece);
      transfer.update(piece.length);
    }
    const after = await files.stat(path);
    if (after.size !== before.size || after.mtime_ms !== before.mtime_ms)
      throw Object.assign(new Error('the file changed while it was read'), { code: 'ECHANGED', path });
    return digest.hex();
  });
}
