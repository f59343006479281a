import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { Session } from './session.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';

export interface SharedOptions extends SessionOptions {
  /**
   * A session of the program: its notification sinks and variables are those of the lists. It stays open. One of its
   * own otherwise.
   */
  readonly session?: Session;
}

/** A session that is opened at its first use, or one that the program has opened itself. */
export class SharedSession {
  readonly #options: SharedOptions;
  #opened: Promise<Session> | undefined;

  constructor(options: SharedOptions) {
    this.#options = options;
  }

  async action<Name extends keyof CommandMap>(name: Name, params: JsonObject): Promise<CommandMap[Name]['result']> {
    const { session, ...options } = this.#options;
    this.#opened ??= session ? Promise.resolve(session) : Session.open(options);
    return await (await this.#opened).action(name, params);
  }

  /** Ends what was begun, then the session. One of its own takes all with it, also where it was stopped before. */
  async closeAfter(ending: () => Promise<unknown>): Promise<void> {
    try {
      await ending();
    } catch (error) {
      if (this.#options.session) throw error;
    } finally {
      await this.#close();
    }
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (!this.#options.session) await (await opened)?.close();
  }
}
