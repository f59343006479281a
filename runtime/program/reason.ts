const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ERR_ACCESS_DENIED: 'this process may not read or write it',
  EEXIST: 'a part of the path is no folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  ENOENT: 'it is not there',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left',
  EIO: 'reading from the device failed',
  EMFILE: 'too many files are open',
  EFBIG: 'it is too large',
  ENOTREG: 'it is no regular file',
  ENXIO: 'nobody reads from it',
};

/** The operating system's own words for an error, without the path that the message names already. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return (
    (typeof code === 'string' ? words[code] : undefined) ?? (typeof message === 'string' ? message : String(error))
  );
}
