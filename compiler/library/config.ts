import { resolve } from 'node:path';

import { nodeHost } from '#runtime/hosts/node.ts';
import { AutomationConfig as Config, type LoadTools } from '#runtime/services/config/automation-config.ts';
import { ConfigWatcher as Watcher } from '#runtime/services/config/config-watcher.ts';
import { unfit, type SinkEntry } from '#runtime/services/config/read-config.ts';
import type { SinkDescription } from '#runtime/services/notify/port.ts';
import type { SecretProvider as Provider } from '#runtime/services/secret-providers/port.ts';
import { ChainedSecretProvider as Chain } from '#runtime/services/secret-providers/providers.ts';
import { Failure } from '#schemas/types/failure.ts';

import {
  ChatSink,
  DiscordSink,
  EmailSink,
  PagerDutySink,
  TeamsSink,
  TelegramSink,
  WebhookSink,
  type NotificationManager,
  type NotificationSink,
} from './notify/manager.ts';
import { default_provider } from './secrets.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { warn } from './warn.ts';

/** Source of references, and gates of sinks. */
export interface ConfigOptions {
  /** Providers of one's own; then `secrets.file_root` of the file is not used. */
  readonly provider?: Provider | null;
  /** Settings for its sinks, such as the gate `private`. */
  readonly session?: SessionOptions;
}

type ConfiguredSink = NotificationSink & { readonly description: SinkDescription };

/** Sinks that a manager has from a configuration file, by the file: those that a later version lacks are taken away. */
const registered = new WeakMap<NotificationManager, Map<string, readonly ConfiguredSink[]>>();

/** The class alone can make its own. */
let made: (config: Config, options: ConfigOptions) => AutomationConfig;

/** A TOML configuration, its references resolved. Printed or turned into JSON it shows no value. */
export class AutomationConfig {
  /** Absolute. */
  readonly source: string;
  readonly #config: Config;
  readonly #session: SessionOptions;

  private constructor(config: Config, session: SessionOptions) {
    this.source = config.source;
    this.#config = config;
    this.#session = session;
  }

  /**
   * Rejects with `ConfigException` for a file that is missing, broken or does not fit, and with
   * `SecretNotFoundException`.
   */
  static async load(path: string, options: ConfigOptions = {}): Promise<AutomationConfig> {
    return made(await Config.load(toolsOf(options), resolve(path)), options);
  }

  static {
    made = (config, { session = {} }) => {
      const found = new AutomationConfig(config, session);
      // Holds the sinks to what their types ask for.
      void found.notification_sinks;
      return found;
    };
  }

  /** All of it, secrets included. */
  get raw(): Readonly<Record<string, unknown>> {
    return this.#config.raw;
  }

  /** One table of it; an empty one where there is none. Throws `ConfigException` for what is no table. */
  section(name: string): Readonly<Record<string, unknown>> {
    return this.#config.section(name);
  }

  /** Its sinks, made anew; addresses are checked for each message. */
  get notification_sinks(): readonly ConfiguredSink[] {
    return this.#config.sinks.map((entry, index) => {
      try {
        return sinkOf(entry, this.#session);
      } catch (error) {
        throw error instanceof Failure ? unfit(this.source, `notify.sinks[${index}]`, error.message, error) : error;
      }
    });
  }

  /**
   * Registers its sinks, and sets the window where it names one; takes away those that the manager has from an earlier
   * version of the file alone. Answers with the number of sinks.
   */
  apply_to(manager: NotificationManager): Promise<number> {
    const sinks = this.notification_sinks;
    const files = registered.get(manager) ?? new Map<string, readonly ConfiguredSink[]>();
    registered.set(manager, files);
    const [present, names] = [manager.list(), new Set(sinks.map(({ name }) => name))];
    // One of the program that has taken a name over stays.
    for (const { name, description } of files.get(this.source) ?? [])
      if (!names.has(name) && present.includes(description)) manager.unregister(name);
    for (const sink of sinks) manager.register(sink);
    files.set(this.source, sinks);
    const { dedupSeconds } = this.#config.summary;
    if (dedupSeconds !== null) manager.configure(dedupSeconds);
    return Promise.resolve(sinks.length);
  }

  /** Names alone: no value of the file. */
  toJSON(): unknown {
    const { sinks, dedupSeconds } = this.#config.summary;
    return { source: this.source, sinks, dedup_seconds: dedupSeconds };
  }
}

/** Options of a watched configuration file, beside those of loading it. */
export interface ConfigWatcherOptions extends ConfigOptions {
  /** Seconds between looks; 2 by default. */
  readonly interval?: number;
  /** Hears why a changed file is not taken; a warning of the process by default. */
  readonly on_broken?: (error: unknown) => void;
}

/**
 * Loads a configuration file again when its time or size has changed, between `start` and `stop`. It does not keep the
 * process alive.
 */
export class ConfigWatcher implements AsyncDisposable {
  readonly #watcher: Watcher;
  readonly #options: ConfigOptions;

  /** `on_change` gets each configuration that loads and fits; the last good one stays in force otherwise. */
  constructor(
    path: string,
    on_change: (config: AutomationConfig) => void | Promise<void>,
    { interval = 2, on_broken = (error) => warn(error, 'ConfigWarning'), ...options }: ConfigWatcherOptions = {},
  ) {
    const tools = {
      ...toolsOf(options),
      clock: nodeHost().clock,
      onBroken: (error: unknown) => void heard(on_broken, error),
    };
    if (!(interval > 0)) throw new RangeError('"interval" must be more than 0');
    this.#options = options;
    this.#watcher = new Watcher(tools, {
      path: resolve(path),
      intervalMs: interval * 1000,
      onChange: (config) => on_change(made(config, options)),
    });
  }

  /** The configuration as it is now; rejects where it cannot be loaded. `on_change` is called for later ones. */
  async start(): Promise<AutomationConfig> {
    const config = made(await this.#watcher.load(), this.#options);
    this.#watcher.watch();
    return config;
  }

  /** Looks now. True: the file had changed and `on_change` has taken it. */
  check_once(): Promise<boolean> {
    return this.#watcher.checkOnce();
  }

  /** Resolves when no look is under way any more, after five seconds at the latest. */
  stop(): Promise<void> {
    return this.#watcher.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** One who hears of a broken file and fails does not end the watch. */
async function heard(on_broken: (error: unknown) => void, error: unknown): Promise<void> {
  try {
    await (on_broken(error) as void | Promise<void>);
  } catch (failure) {
    warn(failure, 'ConfigWarning');
  }
}

function toolsOf({ provider }: ConfigOptions): LoadTools {
  const own = provider && (provider instanceof Chain ? provider : new Chain([provider]));
  return { files: nodeHost().files, chain: (file_root) => own ?? default_provider({ file_root }) };
}

/**
 * Makes the sink of an entry; missing and unknown options, and those of a wrong kind, are found by the sink
 * itself.
 */
function sinkOf({ type, name, options }: SinkEntry, session: SessionOptions): ConfiguredSink {
  const given = { ...(name !== null && { name }), ...options } as Readonly<Record<string, never>>;
  const none = '' as never;
  switch (type) {
    case 'webhook': {
      const { url, webhook_url: hook = none, ...rest } = given;
      return new WebhookSink(url ?? hook, rest, session);
    }
    case 'email': {
      const { host = none, port = none, sender = none, recipients = none, ...rest } = given;
      return new EmailSink(host, port, sender, recipients, rest, session);
    }
    case 'telegram': {
      const { bot_token: token = none, chat_id: chat = none, ...rest } = given;
      return new TelegramSink(token, chat, rest, session);
    }
    case 'pagerduty': {
      const { routing_key: key = none, ...rest } = given;
      return new PagerDutySink(key, rest, session);
    }
    default: {
      const { webhook_url: hook = none, ...rest } = given;
      const Sink = type === 'discord' ? DiscordSink : type === 'teams' ? TeamsSink : ChatSink;
      return new Sink(hook, rest, session);
    }
  }
}
