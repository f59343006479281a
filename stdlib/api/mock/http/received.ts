import type { Incoming } from './incoming.ts';
import type { ReceivedRequest } from './port.ts';

const shownBody = 64 * 1024;
const webhookLimit = 100;

export interface Outcome {
  readonly route: string | null;
  readonly status: number;
  readonly at: string;
  readonly isWebhook: boolean;
  readonly error?: string | undefined;
}

/** Log of a mock: the newest requests, and the newest webhooks. */
export class ReceivedLog {
  readonly #limit: number;
  #requests: ReceivedRequest[] = [];
  #webhooks: ReceivedRequest[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(
    { method, path, query, headers, json, form, data }: Incoming,
    { route, status, at, isWebhook, error }: Outcome,
  ): void {
    const isLong = data.length > shownBody;
    const entry = {
      method,
      path,
      query,
      headers,
      json: isLong ? null : json,
      form: isLong ? {} : form,
      data: data.slice(0, shownBody),
      route,
      status,
      at,
      ...(error === undefined ? {} : { error }),
    };
    this.#requests.push(entry);
    if (this.#requests.length > this.#limit) this.#requests.shift();
    if (!isWebhook) return;
    this.#webhooks.push(entry);
    if (this.#webhooks.length > webhookLimit) this.#webhooks.shift();
  }

  get newest(): ReceivedRequest | undefined {
    return this.#requests.at(-1);
  }

  get requests(): readonly ReceivedRequest[] {
    return [...this.#requests];
  }

  get webhooks(): readonly ReceivedRequest[] {
    return [...this.#webhooks];
  }

  clearWebhooks(): void {
    this.#webhooks = [];
  }

  /** Remembers what it holds; what it yields brings that back. */
  save(): () => void {
    const [requests, webhooks] = [this.requests, this.webhooks];
    return () => {
      this.#requests = [...requests];
      this.#webhooks = [...webhooks];
    };
  }

  clear(): void {
    this.#requests = [];
    this.#webhooks = [];
  }
}
