import { nodeHost } from '#runtime/hosts/node.ts';
import { makeSink } from '#runtime/services/notify/make-sink.ts';
import type { Level, SinkDescription, SinkType } from '#runtime/services/notify/port.ts';
import type { SinkTools } from '#runtime/services/notify/sink.ts';
import * as fail from '#schemas/generated/failures.ts';

import { once } from '../session.ts';
import type { Given, SessionOptions } from '#compiler/engine/unit-session.ts';

type Ports = 'http' | 'outbound' | 'mail';

/** Options of every sink. */
export interface SinkOptions {
  /** The type unless given. */
  readonly name?: string;
  /** Seconds for one message; 10 by default. */
  readonly timeout?: number;
}

/** Base of every sink. Sinks of one's own may extend it, or just have these two members. */
export class NotificationSink {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Delivers one message, or rejects with NotificationException. */
  send(
    _subject: string,
    _body: string,
    _level: Level | { readonly level?: Level } = 'info',
    _options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    return Promise.reject(fail.sinkUnusable({ name: this.name, reason: 'it has no function "send" of its own' }));
  }
}

/**
 * A sink of a known type. Options are checked when it is made, the address for each message: private networks
 * and this machine are refused unless `session` opens the gate `private`. Its errors hold no secret.
 */
class ServiceSink extends NotificationSink {
  readonly description: SinkDescription;
  readonly #type: SinkType;
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #session: SessionOptions;

  constructor(
    type: SinkType,
    { name = type, ...options }: Readonly<Record<string, unknown>> & SinkOptions,
    session: SessionOptions,
  ) {
    super(name);
    this.#type = type;
    this.#options = options;
    this.#session = session;
    this.description = makeSink(type, name, options, noTools).description;
  }

  override async send(
    subject: string,
    body: string,
    level: Level | { readonly level?: Level } = 'info',
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const wanted = typeof level === 'string' ? level : (level.level ?? 'info');
    const needs: readonly Ports[] = ['http', 'outbound', 'mail'];
    await once(
      `${this.constructor.name}.send`,
      needs,
      (given) =>
        makeSink(this.#type, this.name, this.#options, toolsOf(given)).send(subject, body, wanted, {
          signal: given.signal,
        }),
      { ...this.#session, ...(signal && { signal }) },
    );
  }
}

/** Any service that takes `{"subject", "body", "level"}`. */
export class WebhookSink extends ServiceSink {
  constructor(
    url: string,
    options: SinkOptions & { readonly extra_headers?: Readonly<Record<string, string>> | null } = {},
    session: SessionOptions = {},
  ) {
    super('webhook', { url, ...options }, session);
  }
}

/** A chat service whose webhooks take `{"text"}`. */
export class ChatSink extends ServiceSink {
  constructor(webhook_url: string, options: SinkOptions = {}, session: SessionOptions = {}) {
    super('chat', { webhook_url, ...options }, session);
  }
}

/** Options of the connection to the mail server. */
export interface EmailSinkOptions extends SinkOptions {
  readonly username?: string | null;
  readonly password?: string | null;
  /** TLS from the first byte on port 465, else STARTTLS; true by default. A login is never sent without it. */
  readonly use_tls?: boolean;
}

/** Plain text by SMTP, subject `[LEVEL] subject`. */
export class EmailSink extends ServiceSink {
  constructor(
    host: string,
    port: number,
    sender: string,
    recipients: readonly string[],
    options: EmailSinkOptions = {},
    session: SessionOptions = {},
  ) {
    super('email', { host, port, sender, recipients, ...options }, session);
  }
}

/** A chat of a bot. `api_url`: instead of the service's own address. */
export class TelegramSink extends ServiceSink {
  constructor(
    bot_token: string,
    chat_id: string | number,
    options: SinkOptions & { readonly api_url?: string } = {},
    session: SessionOptions = {},
  ) {
    super('telegram', { bot_token, chat_id, ...options }, session);
  }
}

/** A channel's webhook; content is cut at 1900 characters. */
export class DiscordSink extends ServiceSink {
  constructor(webhook_url: string, options: SinkOptions = {}, session: SessionOptions = {}) {
    super('discord', { webhook_url, ...options }, session);
  }
}

/** A channel's webhook, as a card. */
export class TeamsSink extends ServiceSink {
  constructor(webhook_url: string, options: SinkOptions = {}, session: SessionOptions = {}) {
    super('teams', { webhook_url, ...options }, session);
  }
}

/** Messages with one subject belong to one incident; `resolve_on_info`: one of level info closes it. */
export class PagerDutySink extends ServiceSink {
  constructor(
    routing_key: string,
    options: SinkOptions & {
      readonly source?: string;
      readonly resolve_on_info?: boolean;
      readonly events_url?: string;
    } = {},
    session: SessionOptions = {},
  ) {
    super('pagerduty', { routing_key, ...options }, session);
  }
}

function toolsOf({ http, outbound, mail }: Given<Ports>): SinkTools {
  return { clock: nodeHost().clock, http: async () => http, outbound: async () => outbound, mail: async () => mail };
}

/** Stand-in for a sink whose options alone are looked at: nothing is sent with it. */
const nothing = (): never => {
  throw new Error('a sink that is only looked at sends nothing');
};
const noTools: SinkTools = { clock: nodeHost().clock, http: nothing, outbound: nothing, mail: nothing };
