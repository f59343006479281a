import type { Ports } from '#runtime/kernel/ports.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { Backend, KeptUpload } from '../backend.ts';
import type { SourceStream } from './source-stream.ts';

type HeldUpload = NonNullable<Awaited<ReturnType<Ports['uploads']['take']>>>;

/** Note of an upload that this transfer holds. Notes are written one after the other, the last one at the end. */
export class NotedUpload {
  readonly #held: HeldUpload;
  #note: JsonObject | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(held: HeldUpload) {
    this.#held = held;
    this.#note = held.note;
  }

  /** Its form for a backend that reads from a stream. */
  of(stream: SourceStream): KeptUpload {
    const note = (): JsonObject | undefined => this.#note;
    return {
      get note() {
        return note();
      },
      keep: (given) => this.#keep(given),
      forget: () => this.forget(),
      arrived: (bytes) => (stream.unsent = bytes),
    };
  }

  async #keep(note: JsonObject): Promise<void> {
    this.#note = note;
    this.#written = this.#written.then(async () => {
      if (this.#note === note) await this.#held.keep(note);
    });
    await this.#written;
  }

  async forget(): Promise<void> {
    this.#note = undefined;
    await this.#written.catch(() => undefined);
    await this.#held.forget();
  }

  /** Drops it over there too. */
  async abandon(backend: Backend, path: string): Promise<void> {
    const note = this.#note;
    if (note) await backend.abandon?.(path, note, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    await this.forget();
  }

  async end(): Promise<void> {
    await this.#written.catch(() => undefined);
    await this.#held.end();
  }
}
