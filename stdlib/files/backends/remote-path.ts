import * as fail from '#schemas/generated/failures.ts';

/** Last part of a path, after the last slash. */
export function nameOf(path: string): string {
  const bare = path.replace(/\/+$/, '');
  return bare.slice(bare.lastIndexOf('/') + 1);
}

/** Folder of a path, before the last slash; empty where there is none, `/` for a path at the top. */
export function folderOf(path: string): string {
  const bare = path.replace(/\/+$/, '');
  const slash = bare.lastIndexOf('/');
  return slash < 0 ? '' : slash === 0 ? '/' : bare.slice(0, slash);
}

/**
 * Prefix, slash, relative path; trailing slashes of the prefix go, and an empty prefix needs none. A prefix of slashes
 * alone is the top, which is not where paths without a slash at their beginning begin.
 */
export function joinRemote(prefix: string, name: string): string {
  if (prefix === '') return name;
  const bare = prefix.replace(/\/+$/, '');
  return name === '' ? bare || '/' : `${bare}/${name}`;
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const ends = /[\u0000\r\n]/;

/** Refuses what would end a command of a protocol early, or lead above the top. */
export function requireRemotePath(path: string): string {
  if (ends.test(path))
    throw fail.storagePath({ path: JSON.stringify(path).slice(1, -1), reason: 'it holds a line break or a zero byte' });
  if (!path.isWellFormed())
    throw fail.storagePath({ path: path.toWellFormed(), reason: 'it is no whole Unicode text' });
  return path;
}

/** The same, where `..` means the folder above and must not lead out. */
export function requireInside(path: string): string {
  if (path.split('/').includes('..')) throw fail.storagePath({ path, reason: '".." is not allowed' });
  return requireRemotePath(path);
}
