import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import type { Level, SinkDescription } from './port.ts';
import { checkMessage, type KnownSink, type NotificationSink } from './sink.ts';

export interface ManagerOptions {
  /**
   * Equal messages within so many seconds after one that was delivered are sent once; 0: each is sent. 60 by default.
   */
  readonly dedup_seconds?: number;
  /** Time limit (s) for all sinks together; 60 by default. */
  readonly limit_seconds?: number;
}

interface Sent {
  readonly results: Readonly<Record<string, string>>;
  readonly delivered: boolean;
}

/** Number of different messages that are remembered at most; the oldest are forgotten first. */
const REMEMBERED = 10_000;

/** Sends each message to all sinks at once. A sink that fails does not disturb the others. */
export class NotificationManager {
  readonly #host: Pick<Host, 'clock' | 'digest'>;
  readonly #sinks = new Map<string, NotificationSink>();
  /** Time of each message's last delivery, by its digest, oldest first. */
  readonly #delivered = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<boolean>>();
  readonly #limitMs: number;
  #windowMs: number;

  constructor(
    host: Pick<Host, 'clock' | 'digest'>,
    { dedup_seconds: dedup = 60, limit_seconds: limit = 60 }: ManagerOptions = {},
  ) {
    this.#host = host;
    this.#windowMs = dedup * 1000;
    this.#limitMs = limit * 1000;
  }

  get has_sinks(): boolean {
    return this.#sinks.size > 0;
  }

  /** Remembers sinks, sent messages and settings; what it yields brings them back. */
  save(): () => void {
    const [sinks, delivered, windowMs] = [[...this.#sinks], [...this.#delivered], this.#windowMs];
    return () => {
      this.#sinks.clear();
      for (const [name, sink] of sinks) this.#sinks.set(name, sink);
      this.#delivered.clear();
      for (const [key, at] of delivered) this.#delivered.set(key, at);
      this.#windowMs = windowMs;
    };
  }

  /** Replaces a sink of the same name. Fails with NotificationException for what is no sink. */
  register(sink: NotificationSink): void {
    const given: unknown = sink;
    if (!isSink(given)) throw fail.sinkUnusable({ name: 'sink', reason: 'a sink has a name and a function "send"' });
    this.#sinks.set(given.name, given);
  }

  /** True when it was there. */
  unregister(name: string): boolean {
    return this.#sinks.delete(name);
  }

  /** Removes all sinks, and forgets which messages were sent. Yields how many sinks there were. */
  unregister_all(): number {
    const count = this.#sinks.size;
    this.#sinks.clear();
    this.#delivered.clear();
    return count;
  }

  list(): readonly SinkDescription[] {
    return [...this.#sinks.values()].map((sink) =>
      isKnown(sink) ? sink.description : { name: sink.name, type: 'custom' },
    );
  }

  configure(dedupSeconds: number): void {
    this.#windowMs = dedupSeconds * 1000;
  }

  /**
   * Sends a message and yields its outcome by sink: `sent`, `dedup`, or what went wrong. Remembered only where
   * a sink took it. Rejects for an empty subject, an unknown level, and when aborted.
   */
  async notify(
    subject: string,
    body = '',
    level: Level = 'info',
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Readonly<Record<string, string>>> {
    checkMessage(subject, level);
    const key = this.#keyOf(subject, body, level);
    // The same message twice at once: the second waits for what becomes of the first.
    while (this.#windowMs > 0 && this.#underWay.has(key)) await this.#underWay.get(key);
    if (this.#isFresh(key)) return Object.fromEntries([...this.#sinks.keys()].map((name) => [name, 'dedup']));
    const sending = this.#send(subject, body, level, signal);
    this.#underWay.set(
      key,
      sending.then(
        ({ delivered }) => delivered,
        () => false,
      ),
    );
    try {
      const { results, delivered } = await sending;
      if (delivered) this.#remember(key);
      return results;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #send(subject: string, body: string, level: Level, signal: AbortSignal): Promise<Sent> {
    const limit = new AbortController();
    const endTimer = this.#host.clock.timer(this.#limitMs, () =>
      limit.abort(new Error(`no answer within ${this.#limitMs / 1000} s`)),
    );
    const both = AbortSignal.any([signal, limit.signal]);
    try {
      const sent = [...this.#sinks.values()].map(
        async (sink) =>
          [sink.name, await outcomeOf(() => sink.send(subject, body, level, { signal: both }), both)] as const,
      );
      const results = Object.fromEntries(await Promise.all(sent));
      signal.throwIfAborted();
      return { results, delivered: Object.values(results).includes('sent') };
    } finally {
      endTimer();
    }
  }

  #keyOf(subject: string, body: string, level: Level): string {
    const text = JSON.stringify([subject, body, level]);
    const digest = this.#host.digest('sha256');
    digest?.update(new TextEncoder().encode(text));
    return digest?.hex() ?? text;
  }

  #isFresh(key: string): boolean {
    if (this.#windowMs <= 0) return false;
    const at = this.#delivered.get(key);
    return at !== undefined && this.#host.clock.monotonic() - at <= this.#windowMs;
  }

  #remember(key: string): void {
    this.#delivered.delete(key);
    this.#delivered.set(key, this.#host.clock.monotonic());
    for (const [oldest, at] of this.#delivered) {
      if (this.#delivered.size <= REMEMBERED && this.#host.clock.monotonic() - at <= this.#windowMs) break;
      this.#delivered.delete(oldest);
    }
  }
}

/** A sink that does not heed the signal is not waited for. */
async function outcomeOf(send: () => Promise<void>, signal: AbortSignal): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      Promise.resolve().then(send).then(resolve, reject);
    });
    return 'sent';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Sends an error message when there are sinks. Never rejects. */
export async function notify_on_failure(manager: NotificationManager, context: string, error: string): Promise<void> {
  if (manager.has_sinks) await manager.notify(context === '' ? 'svc' : context, error, 'error').catch(() => undefined);
}

function isSink(given: unknown): given is NotificationSink {
  return (
    typeof given === 'object' &&
    given !== null &&
    'name' in given &&
    typeof given.name === 'string' &&
    given.name !== '' &&
    'send' in given &&
    typeof given.send === 'function'
  );
}

function isKnown(sink: NotificationSink): sink is KnownSink {
  return 'description' in sink;
}
