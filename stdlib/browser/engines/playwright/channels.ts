import type { CDPSession, Page } from 'playwright-core';

import { browserRefused, notChromium, protocolCommandUnknown } from '#schemas/generated/failures.ts';

import type { Door } from './door.ts';
import { reasonOf } from './failure-of.ts';
import type { Launched } from './launch.ts';
import type { Place } from './place.ts';
import type { Scope } from './port.ts';

/** Call of the debugging protocol that holds the network back. */
const networkMethod = 'Network.emulateNetworkConditions';
const unlimited = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

type Conditions = Readonly<Record<string, unknown>>;

/** Channels of the debugging protocol, one a page. */
export class Channels {
  /** Conditions of the network that were asked for; undefined: its own. */
  network: Conditions | undefined;
  readonly #launched: Launched;
  readonly #door: Door;
  readonly #place: Place;
  readonly #open = new WeakMap<Page, Promise<CDPSession>>();

  constructor(launched: Launched, door: Door, place: Place) {
    this.#launched = launched;
    this.#door = door;
    this.#place = place;
  }

  async send(scope: Scope, method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { page } = this.#place;
    if (this.#launched.name !== 'chromium') throw notChromium({ command: method, browser: this.#launched.name });
    const opening = this.#open.get(page) ?? this.#launched.context.newCDPSession(page);
    this.#open.set(page, opening);
    return this.#door.run(scope, async () => {
      const channel = await opening;
      if (method === networkMethod) this.network = params;
      try {
        return await channel.send(method as 'Page.reload', params);
      } catch (error) {
        throw protocolFailure(error, method);
      }
    });
  }

  async close(scope: Scope): Promise<void> {
    for (const page of this.#place.pages) {
      const opening = this.#open.get(page);
      this.#open.delete(page);
      // One whose page crashed is gone by itself.
      if (opening)
        await this.#door.outside(scope, () => opening.then((channel) => channel.detach())).catch(() => undefined);
    }
  }

  /** Brings back conditions of the network that were asked for before. */
  async restoreNetwork(scope: Scope, network: Conditions | undefined): Promise<void> {
    if (network === this.network || this.#place.shown.isClosed()) return;
    await this.send(scope, networkMethod, network ?? unlimited);
    this.network = network;
  }
}

function protocolFailure(error: unknown, method: string): unknown {
  if (!(error instanceof Error)) return error;
  if (/'[\w.]+' wasn't found/.test(error.message)) return protocolCommandUnknown({ name: method, cause: error });
  if (/Protocol error/.test(error.message)) return browserRefused({ reason: reasonOf(error), cause: error });
  return error;
}
