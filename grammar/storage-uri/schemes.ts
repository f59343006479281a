/**
 * Form of an address behind its scheme: a path and nothing else; a container (bucket, share) and the name in
 * it; a server with a path, or only a path where the connection is open already; a server of the web.
 */
export type StorageForm = 'path' | 'container' | 'server' | 'web';

/** Schemes in small letters, the ones of other tools too. */
export const schemes: Readonly<Record<string, StorageForm>> = {
  az: 'container',
  azure: 'container',
  blobstore: 'container',
  drive: 'path',
  drive2: 'path',
  drive3: 'path',
  dropbox: 'path',
  file: 'path',
  filesync: 'path',
  ftp: 'server',
  ftps: 'server',
  gs: 'container',
  http: 'web',
  https: 'web',
  local: 'path',
  memory: 'path',
  objstore: 'container',
  s3: 'container',
  sftp: 'server',
  smb: 'server',
  webdav: 'server',
  webdavs: 'server',
};

/** The form behind a scheme in any letters; undefined for one that nothing has. */
export function formOf(scheme: string): StorageForm | undefined {
  const name = scheme.toLowerCase();
  return Object.hasOwn(schemes, name) ? schemes[name] : undefined;
}

const others: Readonly<Record<string, string>> = {
  az: 'blobstore',
  azure: 'blobstore',
  dropbox: 'filesync',
  file: 'local',
  s3: 'objstore',
};

/** The one name of a kind of storage among all that its scheme may have, in any letters. */
export function kindOf(scheme: string): string {
  const name = scheme.toLowerCase();
  return Object.hasOwn(others, name) ? (others[name] ?? name) : name;
}
