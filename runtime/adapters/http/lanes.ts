import type { PortContext } from '#runtime/kernel/ports.ts';

import { readIdentity } from './identity.ts';
import { openLane, type Lane } from './lane.ts';
import type { HttpRequest } from './port.ts';

type WayOut = Pick<HttpRequest, 'verify' | 'cert' | 'http2' | 'checked'>;

/** Once a redirect has led to another origin, the certificate that says who we are stays behind. */
export function wayOut({ verify, cert, http2, checked }: WayOut, crossed: boolean): WayOut {
  return {
    ...(verify === undefined ? {} : { verify }),
    ...(cert === undefined || crossed ? {} : { cert }),
    ...(http2 === undefined ? {} : { http2 }),
    ...(checked === undefined ? {} : { checked }),
  };
}

/** The ways out of a unit, each opened once: connections are kept between requests that trust and show the same. */
export class Lanes {
  readonly #context: PortContext;
  readonly #open = new Map<string, Promise<Lane>>();
  readonly #pins = new Map<string, readonly string[]>();

  constructor(context: PortContext) {
    this.#context = context;
  }

  /** From now on, checked requests to this host go to these addresses. */
  pin(host: string, addresses: readonly string[]): void {
    this.#pins.set(host, addresses);
  }

  async get({ verify = true, cert, http2 = false, checked = false }: WayOut, proxy: URL | undefined): Promise<Lane> {
    const key = JSON.stringify([verify, cert, http2, checked, proxy?.href]);
    const open =
      this.#open.get(key) ?? this.#make({ verify, http2, checked, ...(cert === undefined ? {} : { cert }) }, proxy);
    this.#open.set(key, open);
    return await open.catch((error: unknown) => {
      this.#open.delete(key);
      throw error;
    });
  }

  async close(): Promise<void> {
    const lanes = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(lanes.map(async (lane) => await (await lane).close()));
  }

  async #make(
    {
      verify,
      cert,
      http2,
      checked,
    }: Pick<HttpRequest, 'cert'> & {
      readonly verify: boolean | string;
      readonly http2: boolean;
      readonly checked: boolean;
    },
    proxy: URL | undefined,
  ): Promise<Lane> {
    const { host, folders } = this.#context;
    if (proxy?.password) this.#context.mask(decodeURIComponent(proxy.password));
    return await openLane({
      identity: await readIdentity({ verify, ...(cert === undefined ? {} : { cert }) }, host.files, folders.cwd),
      http2,
      now: () => host.clock.monotonic(),
      ...(proxy ? { proxy } : {}),
      ...(checked ? { pins: this.#pins } : {}),
    });
  }
}
