import type { StorageUri } from './ast.ts';

/** `sftp://user@host:22/path`. */
export function printStorageUri({ scheme, user, password, host, port, path }: StorageUri): string {
  if (scheme === '') return path;
  const who = user === undefined ? '' : `${user}${password === undefined ? '' : `:${password}`}@`;
  return `${scheme}://${who}${host ?? ''}${port === undefined ? '' : `:${port}`}${path}`;
}
