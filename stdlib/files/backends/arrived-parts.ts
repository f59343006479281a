import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import type { KeptUpload } from './backend.ts';
import { inParts } from './in-parts.ts';

/** Part of an upload that has arrived: what the service says of it, and the digest of its bytes. */
export interface ArrivedPart {
  readonly digest: string;
  readonly told: Json;
}

/** The parts of one upload, by their numbers from 1 on; each is noted where the upload is kept. */
export class ArrivedParts {
  /** Id of the upload over there. */
  readonly id: string;
  readonly partSize: number;
  readonly #kept: KeptUpload | undefined;
  readonly #parts: Map<number, ArrivedPart>;

  constructor(upload: { readonly id: string; readonly partSize: number }, kept?: KeptUpload, parts: NotedParts = []) {
    this.id = upload.id;
    this.partSize = upload.partSize;
    this.#kept = kept;
    this.#parts = new Map(parts);
  }

  /** Those that an earlier call has noted; undefined where there is no note, or one of another shape. */
  static noted(kept: KeptUpload | undefined): ArrivedParts | undefined {
    const { id, partSize, parts } = kept?.note ?? {};
    if (typeof id !== 'string' || typeof partSize !== 'number' || !isObject(parts)) return undefined;
    const known = Object.entries(parts).flatMap(([number, part]) => {
      if (!isObject(part) || typeof part['digest'] !== 'string') return [];
      return [[Number(number), { digest: part['digest'], told: part['told'] ?? null }] as const];
    });
    const arrived = new ArrivedParts({ id, partSize }, kept, known);
    let whole = 0;
    while (arrived.#parts.has(whole + 1)) whole += 1;
    kept?.arrived(whole * partSize);
    return arrived;
  }

  /** Sends what is not over there yet, so many parts at once. */
  async fill(body: AsyncIterable<Uint8Array>, { atOnce, digest, send }: PartSender): Promise<void> {
    const waiting: Promise<void>[] = [];
    const work = async (number: number, bytes: Uint8Array): Promise<void> => {
      const own = digest(bytes);
      if (this.#parts.get(number)?.digest === own) return;
      this.#parts.set(number, { digest: own, told: await send(number, bytes, own) });
      await this.keep();
    };
    try {
      for await (const { number, bytes } of inParts(body, this.partSize)) {
        const sending = work(number, bytes);
        sending.catch(() => undefined);
        waiting.push(sending);
        if (waiting.length >= atOnce) await waiting.shift();
      }
      while (waiting.length > 0) await waiting.shift();
    } finally {
      await Promise.allSettled(waiting);
    }
  }

  async keep(): Promise<void> {
    const parts = Object.fromEntries(this.#parts) as unknown as JsonObject;
    await this.#kept?.keep({ id: this.id, partSize: this.partSize, parts });
  }

  /** In the order of their numbers. */
  all(): readonly (readonly [number: number, part: ArrivedPart])[] {
    return [...this.#parts].sort(([one], [other]) => one - other);
  }
}

export interface PartSender {
  readonly atOnce: number;
  /** Called in the order of the parts. */
  digest(bytes: Uint8Array): string;
  /** Yields what is to be remembered of the part. */
  send(number: number, bytes: Uint8Array, digest: string): Promise<Json>;
}

type NotedParts = readonly (readonly [number: number, part: ArrivedPart])[];
