import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

/**
 * Version 1 of the envelope, byte by byte:
 *
 *     offset  bytes
 *     0       7      the letters FA-AESG
 *     7       1      version: 01
 *     8       1      flags: 00
 *     9       4      n, the length of the associated data, big endian
 *     13      12     nonce, random for each file
 *     25      n      associated data, in clear
 *     25+n    m      the content, encrypted: as long as the plain file
 *     25+n+m  16     tag of AES-GCM over associated data and content
 */
const MAGIC = new TextEncoder().encode('FA-AESG');
const VERSION = 1;
const HEADER = 25;
export const NONCE_BYTES = 12;
const TAG = 16;
export const OVERHEAD = HEADER + TAG;

export interface Envelope {
  readonly nonce: Uint8Array;
  readonly tag: Uint8Array;
  /** First byte of the associated data, and of the content; first byte behind that. */
  readonly associatedAt: number;
  readonly contentAt: number;
  readonly end: number;
}

/** Header of the file, before the content. */
export function headOf(nonce: Uint8Array, associated: Uint8Array): Uint8Array {
  const head = new Uint8Array(HEADER + associated.length);
  head.set(MAGIC);
  head.set([VERSION, 0], 7);
  new DataView(head.buffer).setUint32(9, associated.length);
  head.set(nonce, 13);
  head.set(associated, HEADER);
  return head;
}

/** Reads where the parts of an encrypted file stand. Tells what is no envelope, another version, or too short. */
export async function readEnvelope(files: Files, path: string): Promise<Envelope> {
  const file = await files.open(path);
  try {
    const { size } = file;
    const head = await file.readAt(0, HEADER);
    if (head.length < HEADER) throw fail.envelopeTruncated({ path, why: 'it is shorter than the fixed header' });
    if (MAGIC.some((byte, at) => head[at] !== byte)) throw fail.envelopeUnreadable({ path, why: 'bad magic' });
    if (head[7] !== VERSION) throw fail.envelopeUnreadable({ path, why: `unsupported version ${head[7]}` });
    if (head[8] !== 0) throw fail.envelopeUnreadable({ path, why: `unsupported flags ${head[8]}` });
    const contentAt = HEADER + new DataView(head.buffer, head.byteOffset).getUint32(9);
    const end = size - TAG;
    if (end < contentAt)
      throw fail.envelopeTruncated({ path, why: 'it ends before the end of its associated data and tag' });
    return { nonce: head.slice(13, HEADER), tag: await file.readAt(end, TAG), associatedAt: HEADER, contentAt, end };
  } finally {
    await file.close();
  }
}
