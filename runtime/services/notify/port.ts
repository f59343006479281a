declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly notify: Notify;
  }
}

export type Level = 'info' | 'warning' | 'error';
export type SinkType = 'webhook' | 'chat' | 'email' | 'telegram' | 'discord' | 'teams' | 'pagerduty';

/** The sinks of a unit: what is sent goes to all of them at once. Nothing that it tells holds a secret. */
export interface Notify {
  /**
   * Checks options and address, then adds the sink or replaces that of the same name (`type` unless given). Nothing is
   * sent.
   */
  register(
    type: SinkType | 'slack',
    name: string | null,
    options: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<SinkDescription>;
  /** The same step by step, for several that shall be registered all or none: checks the options. */
  prepare(type: SinkType | 'slack', name: string | null, options: Readonly<Record<string, unknown>>): PreparedSink;
  /** True when it was there. */
  unregister(name: string): boolean;
  /** Forgets what was sent, too. Yields how many there were. */
  unregisterAll(): number;
  /** Sinks in the order in which they were registered. */
  list(): readonly SinkDescription[];
  /**
   * Equal messages within so many seconds after one that was delivered are sent once; 0: each is sent. 60 at the
   * beginning.
   */
  configure(dedupSeconds: number): void;
  /**
   * Sends a message and yields its outcome by sink: `sent`, `dedup`, or what went wrong. Rejects only for what
   * can be sent to no sink, and when aborted.
   */
  send(message: Message, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /**
   * Notifies of a failure in the background: sent at level error, secrets hidden, the subject in one line;
   * silent without sinks. Never rejects; a sink that fails is told as a notice. False: there are sinks, and
   * none of them took it.
   */
  alert(subject: string, body: string): Promise<boolean>;
}

export interface PreparedSink {
  /** Whether its address may be asked, without asking it. */
  check(signal: AbortSignal): Promise<void>;
  register(): SinkDescription;
}

export interface Message {
  readonly subject: string;
  readonly body: string;
  readonly level: Level;
}

/**
 * `name`, `type`, and of some types what is no secret: `url_host`; `host`, `port`, `recipients`; `chat_id`; `source`.
 */
export interface SinkDescription {
  readonly name: string;
  readonly type: string;
  readonly [detail: string]: string | number | readonly string[];
}
