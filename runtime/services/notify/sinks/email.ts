import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { readMailbox } from '#schemas/types/mailbox.ts';

import type { Level, SinkDescription } from '../port.ts';
import { checkMessage, type KnownSink, type SendOptions, type SinkTools } from '../sink.ts';
import { cutBody } from './cut-body.ts';
import { refuse, type Field } from './options.ts';
import { redactor } from './redact.ts';

export const emailFields: Readonly<Record<string, Field>> = {
  host: { kind: 'text', required: true },
  port: { kind: 'port', required: true },
  sender: { kind: 'text', required: true },
  recipients: { kind: 'texts', required: true },
  username: { kind: 'text' },
  password: { kind: 'text' },
  use_tls: { kind: 'yes-no' },
  timeout: { kind: 'seconds' },
};

export interface EmailOptions {
  readonly host: string;
  readonly port: number;
  readonly sender: string;
  readonly recipients: readonly string[];
  /** Signs in only when both are given, and never without TLS. */
  readonly username?: string;
  readonly password?: string;
  readonly use_tls?: boolean;
  readonly timeout?: number;
}

export function emailSink(name: string, options: EmailOptions, tools: SinkTools): KnownSink {
  const { sender, recipients, username, password, use_tls: tls = true } = options;
  for (const address of [sender, ...recipients])
    if (!readMailbox(address))
      throw fail.messageUnfit({ what: 'mail address', given: JSON.stringify(address.slice(0, 100)).slice(1, -1) });
  if (username !== undefined && password !== undefined && !tls)
    throw refuse(
      name,
      'it would sign in without TLS, which shows the password to everybody on the way; leave out "use_tls: false" or the login',
    );
  return new EmailSink(name, options, tools);
}

class EmailSink implements KnownSink {
  readonly name: string;
  readonly description: SinkDescription;
  readonly #options: EmailOptions;
  readonly #tools: SinkTools;
  readonly #redact: (text: string) => string;

  constructor(name: string, options: EmailOptions, tools: SinkTools) {
    this.name = name;
    this.description = {
      name,
      type: 'email',
      host: options.host,
      port: options.port,
      recipients: [...options.recipients],
    };
    this.#options = options;
    this.#tools = tools;
    this.#redact = redactor(options.password === undefined ? [] : [options.password]);
  }

  async check(signal: AbortSignal): Promise<void> {
    await (await this.#tools.outbound()).checkHost(this.#options.host, { signal });
  }

  async send(
    subject: string,
    body: string,
    level: Level = 'info',
    { signal = new AbortController().signal }: SendOptions = {},
  ): Promise<void> {
    checkMessage(subject, level);
    const { host, port, sender, recipients, username, password, use_tls: tls = true, timeout = 10 } = this.#options;
    const login = username !== undefined && password !== undefined ? { login: { user: username, password } } : {};
    const mail = await this.#tools.mail();
    try {
      await mail.send(
        { from: sender, to: recipients, subject: `[${level.toUpperCase()}] ${subject}`, text: cutBody(body) },
        { host, port, tls, ...login },
        { timeout_ms: timeout * 1000, signal },
      );
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) throw error;
      const hidden = this.#redact(error.message);
      throw hidden === error.message ? error : fail.notificationNotTaken({ name: this.name, reason: hidden });
    }
  }
}
