/// <reference lib="esnext.disposable" preserve="true" />
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import type { CallParameters } from '#compiler/engine/call.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { Session } from '../session.ts';

/** Commands that drive browsers or stand beside them. */
type BrowserCommand = keyof CommandMap & `WR_${string}`;

export interface BrowserOptions extends SessionOptions {
  /** `playwright` by default. */
  readonly engine?: 'playwright' | 'webdriver';
  /** `chromium` by default. */
  readonly browser?: string;
  /** Further parameters of `WR_pw_launch`, or of `WR_new_driver`. */
  readonly launch?: JsonObject;
}

/**
 * A browser that a program drives by commands, one after the other: current page, element and test objects stay between
 * them. `close` ends the browser, whatever state it is in.
 */
export class BrowserSession implements AsyncDisposable {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  /** Starts the browser; nothing is left where it does not start. */
  static async open(options: BrowserOptions = {}): Promise<BrowserSession> {
    const { engine = 'playwright', browser = 'chromium', launch = {}, ...rest } = options;
    const session = await Session.open(rest);
    try {
      if (engine === 'playwright') await session.action('WR_pw_launch', { browser, ...launch });
      else await session.action('WR_new_driver', { webdriver_name: browser, ...launch });
      return new BrowserSession(session);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** Runs one command as an action file would. Rejects with its failure. */
  run<Name extends BrowserCommand>(
    name: Name,
    params: CallParameters<Name> = {} as CallParameters<Name>,
  ): Promise<CommandMap[Name]['result']> {
    return this.#session.action(name, params);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
