import * as fail from '#schemas/generated/failures.ts';

import type { Reading } from './backend.ts';
import type { ServiceStream } from './http-service.ts';

/** The reading of an answer that begins at a byte. Fails where all came in the place of a part. */
export function readingOf(stream: ServiceStream, from: number, place: string): Reading {
  if (from > 0 && stream.status !== 206) {
    stream.close();
    throw fail.storageAnswer({ place, reason: 'it sent all where a part was asked for' });
  }
  const length = Number(stream.headers['content-length']);
  return {
    ...(Number.isFinite(length) && { size: from + length }),
    body: stream.body({ packed: true }),
    close: () => stream.close(),
  };
}

/** Bytes of a body that is known to be small enough. */
export async function wholeOf(body: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const whole = new Uint8Array(size);
  let at = 0;
  for await (const piece of body) {
    if (at + piece.length > size) throw new RangeError('more bytes than were said');
    whole.set(piece, at);
    at += piece.length;
  }
  return at === size ? whole : whole.slice(0, at);
}
