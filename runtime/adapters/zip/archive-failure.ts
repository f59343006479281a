import {
  ERR_ENCRYPTED,
  ERR_INVALID_AUTHENTICATION_CODE,
  ERR_INVALID_COMPRESSED_DATA,
  ERR_INVALID_CRC32,
  ERR_INVALID_PASSWORD,
  ERR_INVALID_UNCOMPRESSED_SIZE,
  ERR_UNSUPPORTED_COMPRESSION,
  ERR_UNSUPPORTED_ENCRYPTION,
} from '@zip.js/zip.js/lib/zip-core-custom.js';

import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

export interface Subject {
  readonly path: string;
  readonly member?: string;
  /** Classic encryption cannot tell every wrong password before the checksum does. */
  readonly isClassic?: boolean;
}

/** The failure for an error of the archive reader. Errors of the file system stay as they are. */
export function archiveFailure(cause: unknown, { path, member, isClassic }: Subject): unknown {
  if (cause instanceof Failure || (cause instanceof Error && 'code' in cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (member === undefined) return fail.zipBroken({ path, cause });
  const about = { path, member, cause };
  switch (reason) {
    case ERR_ENCRYPTED:
      return fail.zipPasswordNeeded(about);
    case ERR_INVALID_PASSWORD:
      return fail.zipPasswordWrong(about);
    case ERR_UNSUPPORTED_COMPRESSION:
    case ERR_UNSUPPORTED_ENCRYPTION:
      return fail.zipUnsupported(about);
    case ERR_INVALID_CRC32:
    case ERR_INVALID_AUTHENTICATION_CODE:
    case ERR_INVALID_UNCOMPRESSED_SIZE:
    case ERR_INVALID_COMPRESSED_DATA:
      return isClassic === true ? fail.zipPasswordWrong(about) : fail.zipMemberDamaged(about);
    default:
      return fail.zipMemberDamaged(about);
  }
}
