import type { Files } from '#schemas/types/host.ts';

/** Mark at the beginning of a file, by format; plain tar has none there. */
export type Signature = 'zip' | '7z' | 'rar' | 'gz' | 'bz2' | 'xz' | 'zst';

const marks: readonly (readonly [Signature, readonly number[]])[] = [
  ['zip', [0x50, 0x4b, 3, 4]],
  // An archive without members, and one that was made in parts.
  ['zip', [0x50, 0x4b, 5, 6]],
  ['zip', [0x50, 0x4b, 7, 8]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['rar', [0x52, 0x61, 0x72, 0x21, 0x1a, 7, 0]],
  ['rar', [0x52, 0x61, 0x72, 0x21, 0x1a, 7, 1]],
  ['gz', [0x1f, 0x8b]],
  ['bz2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['zst', [0x28, 0xb5, 0x2f, 0xfd]],
  // A frame to be skipped, with which `pzstd` begins.
  ['zst', [0x50, 0x2a, 0x4d, 0x18]],
];

export function signatureOf(head: Uint8Array): Signature | undefined {
  return marks.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte))?.[0];
}

/** The first bytes of a file. */
export async function headOf(files: Files, path: string, length: number): Promise<Uint8Array> {
  const file = await files.open(path);
  try {
    return await file.readAt(0, length);
  } finally {
    await file.close();
  }
}
