import type { Entry } from './backend.ts';
import { nameOf } from './remote-path.ts';

/** Entry of an object as the headers of an answer tell of it. */
export function objectEntry(
  path: string,
  headers: Readonly<Record<string, string>>,
  digest: string | undefined,
): Entry {
  const mtime = Date.parse(headers['last-modified'] ?? '');
  return {
    path,
    name: nameOf(path),
    kind: 'file',
    size: Number(headers['content-length'] ?? 0),
    ...(!Number.isNaN(mtime) && { mtime_ms: mtime }),
    ...(headers['etag'] !== undefined && { version: headers['etag'] }),
    ...(digest !== undefined && { digest }),
  };
}
