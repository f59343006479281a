import { getDefaultHighWaterMark } from 'node:stream';

import * as fail from '#schemas/generated/failures.ts';
import type { Digest } from '#schemas/types/host.ts';

import type { Entry } from '../backend.ts';
import { nextWait, waitBefore } from '../passing.ts';
import type { Place, Transfer, TransferTools } from './job.ts';

/** The most bytes that are handed on at once, so that a limit on the rate and a cancellation are felt soon. */
const PIECE = 256 * 1024;
/** Smaller pieces (bytes) wait in the queue of a socket or a pipe while the next one is asked for. */
const QUEUED = getDefaultHighWaterMark(false);

export interface SourceTools extends Pick<TransferTools, 'clock' | 'pace'> {
  readonly transfer: Pick<Transfer, 'signal' | 'update'>;
}

/**
 * The bytes of a file from a place on. A connection that breaks off is made anew and goes on where it was, as long as
 * the file is still the same; fails where it ends early, has grown, or its digest is another than its service says.
 */
export class SourceStream {
  /** Error that broke the source off for good: then the target is not to blame. */
  failure: Error | undefined;
  /** Bytes from the start on that are not sent: no limit on the rate holds them up. */
  unsent = 0;
  readonly #tools: SourceTools;
  readonly #from: Place;
  readonly #entry: Entry & { readonly size: number };
  /** So far the progress has been told. */
  #told = 0;

  constructor(tools: SourceTools, from: Place, entry: Entry & { readonly size: number }) {
    this.#tools = tools;
    this.#from = from;
    this.#entry = entry;
  }

  /** `digest` gets every byte; `end` comes before the end is told: what it throws, the reader gets. */
  async *bytes(start: number, digest?: Digest, end?: () => void): AsyncGenerator<Uint8Array, void> {
    const { transfer, pace } = this.#tools;
    let at = start;
    // A failure that a reader throws into the stream is none of the source.
    let taken = true;
    try {
      for await (const piece of this.#healed(start)) {
        transfer.signal.throwIfAborted();
        at += piece.length;
        if (at > this.#entry.size) throw this.#changed();
        digest?.update(piece);
        if (at > this.unsent) await pace?.take(piece.length, transfer.signal);
        this.#tell(at);
        taken = false;
        yield piece.length < QUEUED ? Uint8Array.from(piece) : piece;
        taken = true;
      }
      if (at < this.#entry.size) throw fail.storageSize({ ...this.#facts(), actual: at, expected: this.#entry.size });
      end?.();
    } catch (error) {
      if (taken) this.failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  /** Hears of bytes that go from the source to the target, from the start on, without being read here. */
  passingBy(): (bytes: number) => void {
    let at = 0;
    return (bytes) => this.#tell(Math.min((at += bytes), this.#entry.size));
  }

  /** Progress goes only forward, however often something is sent again. */
  #tell(at: number): void {
    if (at > this.#told) this.#tools.transfer.update(at - this.#told);
    this.#told = Math.max(this.#told, at);
  }

  /** Pieces from a byte on, as one reading gives them. A backend without ranges reads what stands before again. */
  async *#readFrom(start: number): AsyncGenerator<Uint8Array, void> {
    const { backend, path } = this.#from;
    const { ranges } = backend.can;
    const reading = await backend.read(path, { signal: this.#tools.transfer.signal, from: ranges ? start : 0 });
    try {
      let skip = ranges ? 0 : start;
      for await (const chunk of reading.body) {
        const rest = skip > 0 ? chunk.subarray(Math.min(skip, chunk.length)) : chunk;
        skip -= chunk.length - rest.length;
        for (let begin = 0; begin < rest.length; begin += PIECE) yield rest.subarray(begin, begin + PIECE);
      }
    } finally {
      reading.close();
    }
  }

  async *#healed(start: number): AsyncGenerator<Uint8Array, void> {
    const { clock, transfer } = this.#tools;
    const { signal } = transfer;
    let at = start;
    for (let tries = 1; ; tries += 1) {
      const before = at;
      let endedEarly = false;
      try {
        if (at === this.#entry.size && at > 0) return;
        for await (const piece of this.#readFrom(at)) {
          at += piece.length;
          yield piece;
        }
        if (at >= this.#entry.size) return;
        // A connection that is cut may look like an end; a file that is shorter now has changed.
        endedEarly = true;
        throw new Error('the file ended early');
      } catch (error) {
        signal.throwIfAborted();
        if (at > before) tries = 1;
        const wait = endedEarly ? nextWait(tries) : waitBefore(error, tries);
        // Told by its size.
        if (wait === undefined && endedEarly) return;
        if (wait === undefined) throw error;
        await clock.sleep(wait, signal);
        await this.requireUnchanged();
      }
    }
  }

  async requireUnchanged(): Promise<void> {
    const { backend, path } = this.#from;
    const now = await backend.stat(path, { signal: this.#tools.transfer.signal });
    const { size, mtime_ms, version } = this.#entry;
    // A listing may say less than a question about one file.
    const differs = <Fact>(one: Fact | undefined, other: Fact | undefined): boolean =>
      one !== undefined && other !== undefined && one !== other;
    if (now?.size !== size || differs(now.mtime_ms, mtime_ms) || differs(now.version, version)) throw this.#changed();
  }

  #changed(): Error {
    return fail.storageChanged(this.#facts());
  }

  #facts(): { readonly place: string; readonly path: string } {
    return { place: this.#from.backend.place, path: this.#from.path };
  }
}
