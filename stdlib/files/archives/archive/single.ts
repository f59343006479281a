import { basename, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { isSame } from '#stdlib/files/kind.ts';

import type { Member } from '../member.ts';
import { uncompressed, type TarTools } from '../tar-members.ts';
import { unpackStream, type UnpackTools, type UnpackRequest } from '../unpack.ts';

/**
 * Unpacks one compressed file to one file, named without the suffix, with the times and permission bits of the archive.
 */
export async function unpackSingle(tools: UnpackTools & TarTools, request: UnpackRequest): Promise<string> {
  const { archive: path, target } = request;
  const stat = await tools.files.stat(path);
  const name = basename(path).replace(/(?<=.)\.(?:gz|bz2|xz|zst)$/i, '');
  const there = await tools.files.find(join(target, name));
  if (there !== undefined && isSame(there, stat)) throw fail.sameFile({ source: path, target: join(target, name) });
  const content = await uncompressed(tools, { path, size: stat.size });
  const member: Member = {
    name,
    kind: 'file',
    separators: '/',
    size: 0,
    mode: stat.mode & 0o777,
    modifiedMs: stat.mtime_ms,
    content: () => limited(tools, request, content),
  };
  await unpackStream(tools, request, one(member));
  return name;
}

async function* one(member: Member): AsyncGenerator<Member, void> {
  yield member;
}

/** Below this size no ratio is too good. */
const HARMLESS = 10 * 1024 ** 2;

/** Nobody says beforehand how much it will be. */
async function* limited(
  { archiveRules }: UnpackTools,
  { archive: path, packedSize }: UnpackRequest,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > archiveRules.bytes) throw fail.archiveTooLarge({ path, limit: archiveRules.bytes });
    if (size > HARMLESS && size > packedSize * archiveRules.ratio)
      throw fail.archiveRatio({ path, limit: archiveRules.ratio });
    yield chunk;
  }
}
