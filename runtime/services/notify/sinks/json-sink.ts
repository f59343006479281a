import { retryAfterMs } from '#grammar/http/retry-after.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Level, Message, SinkDescription } from '../port.ts';
import { checkMessage, type KnownSink, type SendOptions, type SinkTools } from '../sink.ts';
import { cutBody } from './cut-body.ts';
import { redactor } from './redact.ts';

/** Facts that make a service different from the others. */
export interface JsonService {
  readonly description: SinkDescription;
  readonly url: string;
  readonly timeoutSeconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts that no message about it may hold, beside its address. */
  readonly secrets?: readonly string[];
  payload(message: Message): Json;
  /** Fault of an answer whose status is fine; undefined: none. */
  objection?(body: string): string | undefined;
}

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Number of attempts at one message, where the service asks to wait, within the message's time. */
const TRIES = 3;

/**
 * Sends JSON to one checked address; redirects are not followed. Waits where the service asks for it and the time
 * allows.
 */
export class JsonSink implements KnownSink {
  readonly name: string;
  readonly description: SinkDescription;
  readonly #service: JsonService;
  readonly #tools: SinkTools;
  readonly #redact: (text: string) => string;

  constructor(service: JsonService, tools: SinkTools) {
    this.#service = service;
    this.#tools = tools;
    this.name = service.description.name;
    this.description = service.description;
    this.#redact = redactor([service.url, ...(service.secrets ?? [])]);
  }

  async check(signal: AbortSignal): Promise<void> {
    const outbound = await this.#tools.outbound();
    await this.#told(
      () => outbound.checkUrl(this.#service.url, { signal }),
      signal,
      (reason) => fail.sinkUnusable({ name: this.name, reason }),
    );
  }

  async send(
    subject: string,
    body: string,
    level: Level = 'info',
    { signal = new AbortController().signal }: SendOptions = {},
  ): Promise<void> {
    checkMessage(subject, level);
    const text = JSON.stringify(this.#service.payload({ subject, body: cutBody(body), level }));
    await this.#told(
      () => this.#post(text, signal),
      signal,
      (reason) => this.#refused(reason),
    );
  }

  async #post(body: string, signal: AbortSignal): Promise<void> {
    const { clock } = this.#tools;
    const { url, headers, timeoutSeconds } = this.#service;
    const http = await this.#tools.http();
    const end = clock.monotonic() + timeoutSeconds * 1000;
    for (let count = 1; ; count++) {
      const left = Math.max(1, Math.ceil(end - clock.monotonic()));
      const answer = await http.send({
        method: 'POST',
        url: new URL(url),
        headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
        body,
        timeout_ms: left,
        signal,
        checked: true,
      });
      const problem = this.#problem(answer);
      if (problem === undefined) return;
      const wait = retryAfterMs(answer, clock.now());
      if (wait === undefined) throw this.#refused(problem);
      if (count === TRIES || clock.monotonic() + wait >= end)
        throw this.#refused(`${problem}; it asks to wait ${Math.ceil(wait / 1000)} s`);
      await clock.sleep(wait, signal);
    }
  }

  #problem({ status, reason, body }: Answer): string | undefined {
    const text = new TextDecoder().decode(body.subarray(0, 2000));
    if (status >= 200 && status < 300) return this.#service.objection?.(text);
    if (status >= 300 && status < 400) return `it answered ${status} and redirects, which is not followed`;
    const said = text.replace(/\s+/g, ' ').trim();
    return `it answered ${`${status} ${reason}`.trim()}${said === '' ? '' : `: ${said.slice(0, 200)}`}`;
  }

  #refused(reason: string): Failure {
    return fail.notificationNotTaken({ name: this.name, reason: this.#redact(reason) });
  }

  /** Runs `work`; its errors become the failure that `say` makes, without the address. */
  async #told(work: () => Promise<unknown>, signal: AbortSignal, say: (reason: string) => Failure): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof Failure)) throw error;
      if (error.facts.name === 'NotificationException') throw error;
      if (error.facts.kinds.includes('timeout')) throw say(`no answer within ${this.#service.timeoutSeconds} s`);
      const hidden = this.#redact(error.message);
      if (error.facts.name !== 'UrlValidationException') throw say(hidden);
      throw hidden === error.message ? error : fail.outboundAddressForm({ url: '***' });
    }
  }
}
