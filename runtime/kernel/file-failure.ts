import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

/**
 * The failure that tells a user of an error of the file system, by its code; undefined where the error is none
 * of that kind. The class follows the cause: a full disk is the environment, a busy file may pass, a folder in
 * the place of a file is real.
 */
export function fileFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if ('syscall' in error && String(error.syscall).startsWith('spawn')) return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : '';
  const facts = { path, cause: error };
  switch (error.code) {
    case 'ENOENT':
      return fail.fileNotFound(facts);
    case 'EACCES':
    case 'EPERM':
      return fail.accessDenied(facts);
    case 'ENOSPC':
    case 'EDQUOT':
      return fail.diskFull(facts);
    case 'EROFS':
      return fail.diskReadOnly(facts);
    case 'ENAMETOOLONG':
      return fail.nameTooLong(facts);
    case 'ENOTDIR':
      return fail.notAFolder(facts);
    case 'EISDIR':
      return fail.isAFolder(facts);
    case 'EEXIST':
      return fail.pathTaken(facts);
    case 'ENOTEMPTY':
      return fail.folderNotEmpty(facts);
    case 'EMFILE':
    case 'ENFILE':
      return fail.tooManyOpenFiles(facts);
    case 'EBUSY':
    case 'ETXTBSY':
      return fail.fileBusy(facts);
    case 'ECHANGED':
      return fail.sourceChanged(facts);
    case 'ELOOP':
      return fail.linkLoop(facts);
    case 'ERR_INVALID_ARG_VALUE':
      return error.message.includes('null bytes') ? fail.zeroInPath({ cause: error }) : undefined;
    default:
      return path !== '' && /^E[A-Z0-9]+$/.test(error.code)
        ? fail.fileSystemRefused({ ...facts, answer: error.code })
        : undefined;
  }
}
