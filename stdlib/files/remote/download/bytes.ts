import * as fail from '#schemas/generated/failures.ts';
import type { Digest } from '#schemas/types/host.ts';

import { isPacked } from './answer.ts';
import type { Answer, DownloadTools, Wanted } from './wanted.ts';

/** More is not gathered, whatever a call asks for. */
const mostGathered = 1 << 20;

export interface Expected {
  /** Bytes of the file that are there already. */
  readonly before: number;
  /** Size (bytes) of the whole file, where the server says it. */
  readonly total: number | undefined;
  /** Takes every byte that comes. */
  readonly digest?: Digest | undefined;
}

/**
 * The bytes of the file in an answer, gathered for writing. Fails where they become too many, or end before they
 * should.
 */
export async function* bytesOf(
  { transfer }: DownloadTools,
  answer: Answer,
  wanted: Wanted,
  { before, total, digest }: Expected,
): AsyncGenerator<Uint8Array, void> {
  let size = before;
  transfer.expect(total ?? null);
  transfer.update(before);
  for await (const piece of gathered(
    answer.body({ packed: !isPacked(answer) }),
    Math.min(wanted.chunkSize, mostGathered),
  )) {
    size += piece.length;
    transfer.update(piece.length);
    if (size > wanted.maxBytes) {
      transfer.failsAs('aborted');
      throw fail.downloadTooLarge({ url: wanted.url, limit: wanted.maxBytes });
    }
    if (total !== undefined && size > total) throw fail.downloadRange({ url: wanted.url });
    digest?.update(piece);
    yield piece;
  }
  if (total !== undefined && size < total) throw fail.downloadIncomplete({ url: wanted.url, size, total });
}

/** Gives what was gathered before the end, also when that is a failure: with `resume` it is kept. */
async function* gathered(pieces: AsyncIterable<Uint8Array>, least: number): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array[] = [];
  let size = 0;
  const take = (): Uint8Array => {
    const all = held.length === 1 && held[0] ? held[0] : joined(held, size);
    held = [];
    size = 0;
    return all;
  };
  let broken: { readonly error: unknown } | undefined;
  try {
    for await (const piece of pieces) {
      held.push(piece);
      size += piece.length;
      if (size >= least) yield take();
    }
  } catch (error) {
    broken = { error };
  }
  if (size > 0) yield take();
  if (broken) throw broken.error;
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
