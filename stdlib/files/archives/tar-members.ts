import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Member } from './member.ts';
import { headOf, signatureOf } from './signature.ts';

export type TarTools = Pick<Base, 'signal'> & Pick<Ports, 'files' | 'tar' | 'compression' | 'archiveRules'>;

export interface TarFile {
  readonly path: string;
  /** Size (bytes) of the file on the disk. */
  readonly size: number;
  /** Told of each piece of it that was read: so many bytes more. */
  readonly onBytes?: (bytes: number) => void;
}

/** Bytes handed on at once. */
const CHUNK = 256 * 1024;

/** Headers and filling are no content, but take time: a stream of nothing else must end as well. */
const ABOUT_A_MEMBER = 2048;
const HARMLESS = 80 * 1024 ** 2;

/** The members of a tar archive, whatever it is compressed with. */
export async function* tarMembers(tools: TarTools, file: TarFile): AsyncGenerator<Member, void> {
  const bytes = await uncompressed(tools, file);
  for await (const member of tools.tar.read(bounded(tools, file, bytes), file.path))
    yield { ...member, separators: '/' };
}

/** The content of a file; unpacked, where its first bytes say that it is compressed. */
export async function uncompressed(
  { files, compression, signal }: TarTools,
  { path, onBytes }: TarFile,
): Promise<AsyncIterable<Uint8Array>> {
  const signature = signatureOf(await headOf(files, path, 8));
  const stored = files.stream(path, { chunk: CHUNK, signal });
  const bytes = onBytes === undefined ? stored : counted(stored, onBytes);
  const isCompressed = signature === 'gz' || signature === 'bz2' || signature === 'xz' || signature === 'zst';
  return isCompressed ? compression.decompress(signature, bytes, { path, signal }) : bytes;
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** Ends a stream that yields more than any archive within the limits would. */
async function* bounded(
  { archiveRules }: TarTools,
  { path, size }: TarFile,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const { bytes: limit, entries, ratio } = archiveRules;
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > limit + entries * ABOUT_A_MEMBER) throw fail.archiveTooLarge({ path, limit });
    if (count > HARMLESS && count > size * ratio) throw fail.archiveRatio({ path, limit: ratio });
    yield chunk;
  }
}
