import { bytesOfName, textOfName } from '#schemas/types/file-name.ts';

/** A name cut to so many bytes, at the end of a character. */
export function fitted(name: string, most: number): string {
  const bytes = bytesOfName(name);
  if (bytes.length <= most) return name;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return textOfName(bytes.subarray(0, end === 0 ? most : end));
}
