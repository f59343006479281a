import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import * as fail from '#schemas/generated/failures.ts';
import { findEntry, readEntry, readTape, recordEntry, type TapeEntry } from '#stdlib/api/core/cassette/tape.ts';

import { once } from '../session.ts';

/** A request as tapes tell it from others. */
export interface TapedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** An answer as tapes keep it. */
export type TapedAnswer = Pick<TapeEntry, 'response_status' | 'response_body'> &
  Partial<Pick<TapeEntry, 'response_headers' | 'response_encoding'>>;

/**
 * The entry that a tape has for a request; else `perform_request` sends it, and what `extract_response` makes of the
 * answer is put on the tape.
 */
export async function replay_or_record<Response>(
  cassette: string,
  { method, url, body }: TapedRequest,
  perform_request: () => Response | Promise<Response>,
  extract_response: (response: Response) => TapedAnswer | Promise<TapedAnswer>,
  options: SessionOptions = {},
): Promise<TapeEntry> {
  const wanted = { method, url, request_body: body };
  const tape = await once('cassette_items', ['files'], (given) => readTape(cassette, given), options);
  const known = tape[findEntry(tape, wanted)];
  if (known) return known;
  const answer = await extract_response(await perform_request());
  const entry: TapeEntry = { response_headers: {}, ...wanted, method: method.toUpperCase(), ...answer };
  const read = readEntry(entry);
  if (typeof read === 'string') throw fail.cassetteEntry({ path: cassette, url, reason: read });
  await once(
    'cassette_record',
    ['files', 'fileLocks', 'clock'],
    (given) => recordEntry(cassette, entry, given),
    options,
  );
  return entry;
}
