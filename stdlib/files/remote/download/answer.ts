import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { sameValidator, type Validator } from './validator.ts';
import type { Answer, DownloadTools, Wanted } from './wanted.ts';

/** A part that was kept: so many bytes of the file that the validator names. */
export interface Kept {
  readonly size: number;
  readonly validator: Validator;
}

/**
 * Meaning of an answer: all of the file, the rest of it, that nothing is missing, or that the part belongs to
 * another file.
 */
export type Meaning =
  | { readonly kind: 'whole'; readonly total: number | undefined }
  | { readonly kind: 'rest'; readonly total: number | undefined }
  | { readonly kind: 'complete' }
  | { readonly kind: 'changed' };

/** Reads the head of an answer. `kept`: what the request was for the rest of. Fails where the answer gives no file. */
export function readAnswer(
  { transfer }: DownloadTools,
  answer: Answer,
  kept: Kept | undefined,
  { maxBytes }: Wanted,
): Meaning {
  const meaning = meaningOf(answer, kept);
  const total = 'total' in meaning ? meaning.total : meaning.kind === 'complete' ? kept?.size : undefined;
  if (total === undefined || total <= maxBytes) return meaning;
  transfer.failsAs('aborted');
  throw fail.downloadTooLarge({ url: answer.request.url, limit: maxBytes });
}

function meaningOf(answer: Answer, kept: Kept | undefined): Meaning {
  if (answer.status === 200) return { kind: 'whole', total: lengthOf(answer) };
  if (answer.status === 206) return partOf(answer, kept);
  if (answer.status === 416 && kept)
    return rangeOf(answer)?.total === kept.size && sameValidator(answer.headers, kept.validator)
      ? { kind: 'complete' }
      : { kind: 'changed' };
  throw statusFailure(answer);
}

function partOf(answer: Answer, kept: Kept | undefined): Meaning {
  const range = rangeOf(answer);
  if (!kept || range?.from === undefined) throw fail.downloadRange({ url: answer.request.url });
  // If-Range should have given the whole file then.
  if (!sameValidator(answer.headers, kept.validator) || isPacked(answer)) return { kind: 'changed' };
  if (range.from !== kept.size) throw fail.downloadRange({ url: answer.request.url });
  return { kind: 'rest', total: range.total };
}

interface Range {
  readonly from: number | undefined;
  /** Size (bytes) of the whole file; where it is not said, as far as the range goes. */
  readonly total: number | undefined;
}

// The value of `Content-Range`, as `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`; undefined also where it contradicts itself.
function rangeOf({ headers }: Answer): Range | undefined {
  const [, from, to, size] = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(headers['content-range'] ?? '') ?? [];
  if (size === undefined) return undefined;
  const total = size === '*' ? undefined : Number(size);
  if (from === undefined || to === undefined) return { from: undefined, total };
  const end = Number(to) + 1;
  return Number(from) < end && end <= (total ?? end) ? { from: Number(from), total: total ?? end } : undefined;
}

/** Types whose files are packed themselves: what servers call their coding is the file's own. */
const packedTypes = /^application\/(?:(?:x-)?gzip|x-tgz|x-gtar|x-compressed-tar|zstd)\b/i;

/** Whether the body has to be unpacked to become the file. */
export function isPacked({ headers }: Answer): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'identity' && !packedTypes.test(headers['content-type'] ?? '');
}

/** The size of the file where the answer says it. */
function lengthOf(answer: Answer): number | undefined {
  const length = answer.headers['content-length'];
  return length === undefined || isPacked(answer) ? undefined : Number(length);
}

function statusFailure({ status, reason, headers, request: { url } }: Answer): Failure {
  // When to come back, for whoever tries again.
  const { 'retry-after': after, date } = headers;
  const asked = after === undefined ? {} : { 'retry-after': after, ...(date !== undefined && { date }) };
  const about = { url, status, reason, result: { status_code: status, headers: asked } };
  return status >= 500 || status === 408 || status === 425 || status === 429
    ? fail.downloadUnavailable(about)
    : fail.downloadRefused(about);
}
