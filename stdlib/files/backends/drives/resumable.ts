import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { KeptUpload } from '../backend.ts';
import { isForgotten } from '../forgotten.ts';
import { inParts } from '../in-parts.ts';
import { waitBefore } from '../passing.ts';

/** Progress of an upload: the byte that comes next, or the file that it has become. */
export type Progressed = { readonly next: number } | { readonly file: JsonObject };

export interface ResumableUpload {
  readonly clock: Clock;
  readonly place: string;
  readonly signal: AbortSignal;
  /** Sends bytes that begin at a place. */
  put(bytes: Uint8Array, start: number): Promise<Progressed>;
  /** Asks how far it is. */
  ask(): Promise<Progressed>;
}

/** Sends one part. After a failure that may pass it asks what has arrived, and goes on there. */
async function sendPart(upload: ResumableUpload, bytes: Uint8Array, start: number): Promise<Progressed> {
  const { signal, clock, place } = upload;
  const end = start + bytes.length;
  let at = start;
  for (let tries = 1; ; tries += 1) {
    let progressed: Progressed;
    try {
      progressed = await upload.put(bytes.subarray(at - start), at);
    } catch (error) {
      signal.throwIfAborted();
      const wait = waitBefore(error, tries);
      if (wait === undefined) throw error;
      await clock.sleep(wait, signal);
      progressed = await upload.ask();
    }
    if ('file' in progressed || progressed.next === end) return progressed;
    const { next } = progressed;
    if (next < start || next > end)
      throw fail.storageUnavailable({ place, reason: `it goes on at byte ${next}, which was not sent now` });
    if (next > at) tries = 0;
    at = next;
  }
}

/** Uploads by a session: an address that takes one part after the other. */
export interface UploadSessions {
  readonly partSize: number;
  readonly kept: KeptUpload | undefined;
  /** Yields the address of a new session. */
  begin(): Promise<string>;
  at(session: string): ResumableUpload;
  /** Drops a session over there; never fails. */
  end(session: string): Promise<void>;
}

/**
 * Sends all of a body by a session; by that of an earlier call where the service still knows it. A session that ends
 * badly is dropped over there, unless a later call is to go on with it.
 */
export async function sendBySession(sessions: UploadSessions, body: AsyncIterable<Uint8Array>): Promise<JsonObject> {
  const { kept, partSize } = sessions;
  const known = await goneOn(sessions);
  const session = known?.session ?? (await sessions.begin());
  if (!known) await kept?.keep({ session });
  const upload = sessions.at(session);
  try {
    let progressed = known?.progressed ?? { next: 0 };
    let at = 0;
    for await (const { bytes } of inParts(body, partSize)) {
      const end = at + bytes.length;
      // Bytes that have arrived already are read for the digest of the whole.
      if ('next' in progressed && progressed.next < end)
        progressed = await sendPart(upload, bytes.subarray(progressed.next - at), progressed.next);
      at = end;
    }
    if ('file' in progressed) return progressed.file;
    throw fail.storageAnswer({ place: upload.place, reason: 'it wants more than all bytes' });
  } catch (error) {
    if (isForgotten(error)) await kept?.forget();
    if (!kept) await sessions.end(session);
    throw error;
  }
}

/** The session that was noted, and how far it is; undefined where there is none, or it is not known any more. */
async function goneOn({
  kept,
  at,
}: UploadSessions): Promise<{ readonly session: string; readonly progressed: Progressed } | undefined> {
  const session = kept?.note?.['session'];
  if (typeof session !== 'string') return undefined;
  try {
    const progressed = await at(session).ask();
    if ('next' in progressed) kept?.arrived(progressed.next);
    return { session, progressed };
  } catch (error) {
    if (!isForgotten(error)) throw error;
    return undefined;
  }
}
