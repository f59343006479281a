import * as fail from '#schemas/generated/failures.ts';

import { headOf, signatureOf } from '../signature.ts';
import type { TarTools } from '../tar-members.ts';

export const formats = [
  'zip',
  'tar',
  'tar.gz',
  'tar.bz2',
  'tar.xz',
  'tar.zst',
  'gz',
  'bz2',
  'xz',
  'zst',
  '7z',
  'rar',
] as const;
export type Format = (typeof formats)[number];
export type Single = 'gz' | 'bz2' | 'xz' | 'zst';

const HEADER = 512;

type Tools = Pick<TarTools, 'files' | 'tar' | 'compression' | 'signal'>;

/** The format that a file's first bytes tell; compressed data is looked into. */
export async function formatOf(tools: Tools, path: string): Promise<Format> {
  const head = await headOf(tools.files, path, HEADER);
  const signature = signatureOf(head);
  if (signature === 'zip' || signature === '7z' || signature === 'rar') return signature;
  if (signature !== undefined) return (await holdsTar(tools, path, signature)) ? `tar.${signature}` : signature;
  if (tools.tar.isHeader(head)) return 'tar';
  throw fail.archiveFormatUnknown({ path });
}

/** Data that cannot be unpacked holds no header that can be read. */
async function holdsTar({ files, tar, compression, signal }: Tools, path: string, format: Single): Promise<boolean> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of compression.decompress(format, files.stream(path, { signal }), { path, signal })) {
      pieces.push(piece);
      size += piece.length;
      if (size >= HEADER) break;
    }
  } catch {
    signal.throwIfAborted();
    return false;
  }
  return tar.isHeader(Buffer.concat(pieces).subarray(0, HEADER));
}
