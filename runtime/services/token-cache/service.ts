import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { TokenCache, TokenRequest } from './port.ts';

export const provider: Provider<'tokenCache'> = { open: (context) => new Tokens(context) };

/** Seconds before its end from which on a token is not handed out: it must still live when it arrives. */
const MARGIN = 30;

interface Kept {
  readonly identity: string;
  readonly token: JsonObject;
  /** Monotonic time (ms) at which it was kept. */
  readonly since: number;
}

class Tokens implements TokenCache {
  readonly #clock: Clock;
  #kept = new Map<string, Kept>();
  readonly #underWay = new Map<string, Promise<JsonObject>>();

  constructor({ host, eachRow }: PortContext) {
    this.#clock = host.clock;
    eachRow(() => {
      const kept = new Map(this.#kept);
      return () => {
        this.#kept = new Map(kept);
      };
    });
  }

  find(name: string): JsonObject | undefined {
    const kept = this.#kept.get(name);
    if (!kept || !this.#isExpired(kept)) return kept?.token;
    this.#kept.delete(name);
    return undefined;
  }

  async get({ name, identity, reuse }: TokenRequest, obtain: () => Promise<JsonObject>): Promise<JsonObject> {
    const known = reuse && name ? this.find(name) : undefined;
    if (known && name && this.#kept.get(name)?.identity === identity) return known;
    const token = await this.#obtained(identity, obtain);
    if (name) this.#kept.set(name, { identity, token, since: this.#clock.monotonic() });
    return token;
  }

  clear(): void {
    this.#kept.clear();
  }

  #obtained(identity: string, obtain: () => Promise<JsonObject>): Promise<JsonObject> {
    const running = this.#underWay.get(identity);
    if (running) return running;
    const started = obtain().finally(() => this.#underWay.delete(identity));
    this.#underWay.set(identity, started);
    return started;
  }

  /**
   * A token that does not say how long it lives, lives. Its time is over by either clock: one may be set back, the
   * other stands still while the machine sleeps.
   */
  #isExpired({ token: { expires_in: life, _obtained_at: obtained }, since }: Kept): boolean {
    const seconds = typeof life === 'string' ? Number(life) : life;
    if (typeof seconds !== 'number' || !(seconds > 0) || typeof obtained !== 'number') return false;
    const wall = this.#clock.now() / 1000 - obtained;
    const monotonic = (this.#clock.monotonic() - since) / 1000;
    return Math.max(wall, monotonic) >= seconds - MARGIN;
  }
}
