interface Signature {
  readonly type: string;
  readonly at?: number;
  readonly bytes: string;
  /** Further bytes that must stand at another place. */
  readonly and?: { readonly at: number; readonly bytes: string };
}

/** Bytes from the start of a file that tell what it is; in Latin-1. */
const signatures: readonly Signature[] = [
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/zip', bytes: 'PK\x05\x06' },
  { type: 'application/zip', bytes: 'PK\x07\x08' },
  { type: 'application/gzip', bytes: '\x1f\x8b' },
  { type: 'application/x-bzip2', bytes: 'BZh' },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { type: 'application/x-7z-compressed', bytes: '7z\xbc\xaf\x27\x1c' },
  { type: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { type: 'audio/x-wav', bytes: 'RIFF', and: { at: 8, bytes: 'WAVE' } },
  { type: 'image/webp', bytes: 'RIFF', and: { at: 8, bytes: 'WEBP' } },
  { type: 'video/x-msvideo', bytes: 'RIFF', and: { at: 8, bytes: 'AVI ' } },
  { type: 'video/mp4', at: 4, bytes: 'ftyp' },
  { type: 'audio/ogg', bytes: 'OggS' },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/mpeg', bytes: '\xff\xfb' },
  { type: 'application/rtf', bytes: '{\\rtf' },
  { type: 'application/vnd.sqlite3', bytes: 'SQLite format 3\0' },
];

/** Bytes that the longest signature needs. */
export const LONGEST = 16;

/** Other kinds of files that begin as an MP4 file does, by the brand behind its first box. */
const brands: Readonly<Record<string, string>> = {
  'qt  ': 'video/quicktime',
  'M4A ': 'audio/mp4',
  avif: 'image/avif',
  heic: 'image/heic',
  mif1: 'image/heif',
};

export function typeByBytes(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, LONGEST)).toString('latin1');
  const stands = (text: string, at: number): boolean => start.startsWith(text, at);
  const found = signatures.find(
    ({ at = 0, bytes: text, and }) => stands(text, at) && (and === undefined || stands(and.bytes, and.at)),
  );
  return found?.type === 'video/mp4' ? (brands[start.slice(8, 12)] ?? found.type) : found?.type;
}
