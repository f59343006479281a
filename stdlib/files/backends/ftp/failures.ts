import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

interface About {
  readonly place: string;
  readonly path: string;
  readonly timeoutMs: number;
}

/** The last error of all ways to open a data connection, of which the library keeps the words alone. */
function lastStrategy({ message, cause }: Error): Error | undefined {
  const found = /^None of the available transfer strategies work\. Last error response was '\w*Error: (.*)'\.$/s.exec(
    message,
  );
  const words = found?.[1];
  if (words === undefined) return undefined;
  const [code] = /^\d{3}(?= )/.exec(words) ?? [];
  return Object.assign(new Error(words, { cause }), code === undefined ? {} : { code: Number(code) });
}

/** Answer in the form of a reason, which stands before a full stop. */
export function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200).replace(/[.\s]+$/, '');
}

/**
 * Failure that an answer of the server, or the end of its connection, means. Whether 550 means absence, only another
 * question says.
 */
export function messageFailure(error: unknown, { place, path, timeoutMs }: About): Error {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return new Error(String(error));
  if (error.name === 'AbortError') return error;
  const inner = lastStrategy(error);
  if (inner) return messageFailure(inner, { place, path, timeoutMs });
  const code = 'code' in error ? error.code : undefined;
  const reason = firstLine(error.message);
  const about = { place, path, reason, cause: error };
  if (typeof code !== 'number') {
    if (/^Timeout/i.test(reason)) return fail.storageTimeout({ place, seconds: timeoutMs / 1000, cause: error });
    if (reason.startsWith('PASV returned another host'))
      return fail.storageAnswer({ place, reason: 'it names another host for data than itself', cause: error });
    if (/^Can't parse|exceeded maximum|^Unexpected FTP response/.test(reason))
      return fail.storageAnswer({ place, reason, cause: error });
    return fail.storageBrokenOff({ place, reason, cause: error });
  }
  if (code === 530 || code === 331 || code === 332 || code === 532)
    return fail.storageLogin({ place, reason, cause: error });
  if (code === 421 || code === 450 || code === 451) return fail.storageUnavailable({ place, reason, cause: error });
  if (code === 425 || code === 426) return fail.storageBrokenOff({ place, reason, cause: error });
  if (code === 452 || code === 552) return fail.storageFull(about);
  if ([500, 501, 502, 504, 522, 534].includes(code)) return fail.storageCannot({ place, what: reason, cause: error });
  if (/denied|permission|not allowed|read.?only/i.test(reason)) return fail.storageDenied(about);
  return fail.storageRejected(about);
}
