import { bytesOfName, hasRawBytes, textOfName } from '#schemas/types/file-name.ts';

/**
 * A path as Node takes it. Bytes that are not UTF-8 stand in the text as U+DC00 + byte; such a path becomes bytes
 * again.
 */
export function toNative(path: string): string | Buffer {
  if (!hasRawBytes(path) || process.platform === 'win32') return path;
  return Buffer.from(bytesOfName(path));
}

/** The text of a name that the system gave as bytes; each byte that does not fit UTF-8 stands as U+DC00 + byte. */
export function fromNative(name: Buffer): string {
  return textOfName(name);
}
