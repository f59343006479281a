import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

interface About {
  readonly place: string;
  readonly path: string;
  readonly timeoutMs: number;
}

/** A status that the server or the way to it has answered with. */
export interface SmbStatus {
  readonly status: string;
  /** The line in which it stands. */
  readonly line: string;
}

/** The first status that an output tells, apart from names in listings. */
export function statusIn(text: string): SmbStatus | undefined {
  for (const line of text.split('\n')) {
    if (line.startsWith('  ')) continue;
    const [, status] = /\bNT_STATUS_([A-Z0-9_]+)/.exec(line) ?? [];
    if (status !== undefined && status !== 'OK') return { status, line: line.trim().slice(0, 200) };
  }
  return undefined;
}

const ABSENT = new Set([
  'OBJECT_NAME_NOT_FOUND',
  'OBJECT_PATH_NOT_FOUND',
  'NO_SUCH_FILE',
  'NOT_FOUND',
  'BAD_NETWORK_NAME',
]);
const LOGIN = new Set([
  ...[
    'LOGON_FAILURE',
    'WRONG_PASSWORD',
    'NO_SUCH_USER',
    'PASSWORD_EXPIRED',
    'PASSWORD_MUST_CHANGE',
    'LOGON_TYPE_NOT_GRANTED',
  ],
  ...['ACCOUNT_DISABLED', 'ACCOUNT_LOCKED_OUT', 'ACCOUNT_EXPIRED', 'ACCOUNT_RESTRICTION', 'NETWORK_SESSION_EXPIRED'],
]);
const BUSY = new Set([
  'SHARING_VIOLATION',
  'FILE_LOCK_CONFLICT',
  'DELETE_PENDING',
  'INSUFFICIENT_RESOURCES',
  'INSUFF_SERVER_RESOURCES',
  'NO_MEMORY',
  'REQUEST_NOT_ACCEPTED',
  'TOO_MANY_SESSIONS',
]);
const FAR = new Set([
  'CONNECTION_REFUSED',
  'HOST_UNREACHABLE',
  'NETWORK_UNREACHABLE',
  'PORT_UNREACHABLE',
  'BAD_NETWORK_PATH',
]);
const BROKEN = new Set([
  ...[
    'CONNECTION_RESET',
    'CONNECTION_DISCONNECTED',
    'CONNECTION_ABORTED',
    'CONNECTION_INVALID',
    'LOCAL_DISCONNECT',
    'REMOTE_DISCONNECT',
  ],
  ...[
    'END_OF_FILE',
    'INVALID_NETWORK_RESPONSE',
    'PIPE_BROKEN',
    'PIPE_DISCONNECTED',
    'NETWORK_NAME_DELETED',
    'USER_SESSION_DELETED',
    'UNEXPECTED_NETWORK_ERROR',
  ],
]);

/** Failure that a status means. */
export function statusFailure({ status, line }: SmbStatus, { place, path, timeoutMs }: About): Failure {
  const about = { place, path, reason: line };
  if (status === 'BAD_NETWORK_NAME') return fail.storageNotFound({ place, path: 'the share' });
  if (ABSENT.has(status)) return fail.storageNotFound(about);
  if (LOGIN.has(status)) return fail.storageLogin(about);
  if (BUSY.has(status)) return fail.storageUnavailable(about);
  if (FAR.has(status)) return fail.storageOutOfReach(about);
  if (BROKEN.has(status)) return fail.storageBrokenOff(about);
  switch (status) {
    case 'IO_TIMEOUT':
      return fail.storageTimeout({ place, seconds: timeoutMs / 1000 });
    case 'ACCESS_DENIED':
    case 'CANNOT_DELETE':
    case 'MEDIA_WRITE_PROTECTED':
      return fail.storageDenied(about);
    case 'DISK_FULL':
    case 'QUOTA_EXCEEDED':
      return fail.storageFull(about);
    case 'FILE_IS_A_DIRECTORY':
      return fail.storageIsFolder(about);
    case 'NOT_A_DIRECTORY':
      return fail.storageNotFolder(about);
    case 'DIRECTORY_NOT_EMPTY':
      return fail.storageFolderNotEmpty(about);
    case 'OBJECT_NAME_COLLISION':
      return fail.storageExists(about);
    case 'OBJECT_NAME_INVALID':
    case 'OBJECT_PATH_SYNTAX_BAD':
      return fail.storagePath({ path, reason: 'the server takes no such name' });
    case 'NOT_SUPPORTED':
    case 'INVALID_PARAMETER':
      return fail.storageCannot({ place, what: line });
    default:
      return fail.storageRejected(about);
  }
}
