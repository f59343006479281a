import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

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
export async function sendPart(upload: ResumableUpload, bytes: Uint8Array, start: number): Promise<Progressed> {
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
