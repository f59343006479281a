/** Token, and the time (ms since 1970) until which it is good where that is known. */
export interface Granted {
  readonly token: string;
  readonly expiresAt?: number | undefined;
}

/** Source of the tokens of requests. */
export interface Access {
  token(): Promise<string>;
  /** Another token than the one that was refused; undefined where none can be had. */
  renewed(refused: string): Promise<string | undefined>;
}

/** A token that was given, and that nothing renews. */
export function givenAccess(token: string): Access {
  return { token: async () => token, renewed: async () => undefined };
}

/** A token that lives less (ms) is renewed before it is used. */
const MARGIN_MS = 60_000;

/** Renews a token once, however many requests wait for it. */
export class RenewedAccess implements Access {
  #granted: Granted | undefined;
  readonly #now: () => number;
  readonly #renew: (signal: AbortSignal) => Promise<Granted>;
  #underWay: Promise<Granted> | undefined;

  constructor(granted: Granted | undefined, now: () => number, renew: (signal: AbortSignal) => Promise<Granted>) {
    this.#granted = granted;
    this.#now = now;
    this.#renew = renew;
  }

  async token(): Promise<string> {
    const { token, expiresAt = Infinity } = this.#granted ?? { token: '', expiresAt: 0 };
    return expiresAt - MARGIN_MS > this.#now() ? token : (await this.#another()).token;
  }

  async renewed(refused: string): Promise<string> {
    // Somebody else was told so before, and has asked already.
    if (this.#granted !== undefined && this.#granted.token !== refused) return this.#granted.token;
    return (await this.#another()).token;
  }

  /** Goes on when the first who asked has stopped waiting: others may wait too. */
  async #another(): Promise<Granted> {
    this.#underWay ??= this.#renew(AbortSignal.timeout(60_000)).finally(() => (this.#underWay = undefined));
    this.#granted = await this.#underWay;
    return this.#granted;
  }
}
