import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import type { LedgerRun, NewRun } from './port.ts';
import { stampOf } from './stamp.ts';

/** Largest ledger (bytes): it is read and written whole. */
const LARGEST = 64 * 1024 * 1024;
/** Longest wait for another process that writes the same ledger. */
const WAIT_S = 30;
/** Poll interval (ms) while waiting for it. */
const POLL_MS = 20;

type Tools = Pick<Host, 'files' | 'clock' | 'random'>;

/** A ledger in a JSON file. Each entry rewrites the file under a lock, and replaces it whole. */
export class JsonLedger {
  readonly #path: string;
  readonly #host: Tools;
  readonly #locks: Ports['fileLocks'];

  constructor(path: string, host: Tools, locks: Ports['fileLocks']) {
    this.#path = path;
    this.#host = host;
    this.#locks = locks;
  }

  async append({ path, passed }: NewRun, signal: AbortSignal): Promise<void> {
    const lock = await this.#lock(signal);
    try {
      const ledger = await this.#read();
      const entry = { path, passed, time: stampOf(this.#host.clock) };
      const content = { ...ledger, runs: [...ledger.runs, entry] };
      await this.#host.files.write(this.#path, `${JSON.stringify(content, null, 2)}\n`, { durable: true });
    } finally {
      await lock.release();
    }
  }

  async runs(): Promise<readonly LedgerRun[]> {
    return (await this.#read()).runs.flatMap(runOf);
  }

  async clear(): Promise<void> {
    const found = await this.#host.files.find(this.#path);
    if (found?.kind === 'directory') throw fail.isAFolder({ path: this.#path });
    if (found) await this.#host.files.remove(this.#path);
  }

  async #read(): Promise<{ readonly runs: readonly Json[] }> {
    const { files } = this.#host;
    const found = await files.find(this.#path);
    if (!found) return { runs: [] };
    if (found.kind === 'directory') throw fail.isAFolder({ path: this.#path });
    return this.#parse(await files.readRegular(this.#path, { limit: LARGEST }));
  }

  #parse(bytes: Uint8Array): { readonly runs: readonly Json[] } {
    let value: Json;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
    } catch (error) {
      throw this.#unreadable(error instanceof Error ? error.message : String(error));
    }
    if (!isObject(value) || !Array.isArray(value['runs'])) throw this.#unreadable('it holds no list "runs"');
    return value as { readonly runs: readonly Json[] };
  }

  #unreadable(reason: string): Error {
    return fail.ledgerUnreadable({ path: this.#path, reason });
  }

  /** The lock lies beside the ledger while it is written, and is gone afterwards. */
  async #lock(signal: AbortSignal): Promise<{ release(): Promise<void> }> {
    const { clock, random } = this.#host;
    const begin = clock.monotonic();
    for (;;) {
      const lock = await this.#locks.take(this.#path, signal);
      if ('release' in lock) return lock;
      if (clock.monotonic() - begin > WAIT_S * 1000)
        throw fail.ledgerBusy({ path: this.#path, seconds: WAIT_S, holder: lock.holder });
      await clock.sleep(POLL_MS * (0.5 + random.number()), signal);
    }
  }
}

/** Entries without a path say nothing; without an outcome they count as failed. */
function runOf(entry: Json): readonly LedgerRun[] {
  if (!isObject(entry)) return [];
  const { path, passed, time } = entry;
  return typeof path === 'string' ? [{ path, passed: passed === true, ...(typeof time === 'string' && { time }) }] : [];
}
