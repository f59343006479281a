import { resolve } from 'node:path';

import type { PortContext } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { readIdentity } from './identity.ts';
import { openPool, type ConnectionPool } from './connection-pool.ts';
import type { HttpRequest } from './port.ts';
import type { StartingLine } from './starting-line.ts';

type WayOut = Pick<HttpRequest, 'verify' | 'cert' | 'http2' | 'checked' | 'unix_socket'>;

/**
 * Once a redirect has led to another origin, the certificate that says who we are stays behind, and so does the socket.
 */
export function wayOut({ verify, cert, http2, checked, unix_socket: socket }: WayOut, crossed: boolean): WayOut {
  return {
    ...(verify === undefined ? {} : { verify }),
    ...(cert === undefined || crossed ? {} : { cert }),
    ...(http2 === undefined ? {} : { http2 }),
    ...(checked === undefined ? {} : { checked }),
    ...(socket === undefined || crossed ? {} : { unix_socket: socket }),
  };
}

/** Connection pools of a unit, each opened once: connections are kept between requests that trust and show the same. */
export class ConnectionPools {
  readonly #context: PortContext;
  /** By what they trust and show; a promise until it is open. */
  readonly #open = new Map<string, ConnectionPool | Promise<ConnectionPool>>();
  readonly #pins = new Map<string, readonly string[]>();

  constructor(context: PortContext) {
    this.#context = context;
  }

  /** Pins a host: checked requests to it go to these addresses from now on. */
  pin(host: string, addresses: readonly string[]): void {
    this.#pins.set(host, addresses);
  }

  /** The pool itself where it is open already. */
  get(
    { verify = true, http2 = false, checked = false, ...more }: WayOut,
    proxy: URL | undefined,
  ): ConnectionPool | Promise<ConnectionPool> {
    const key = JSON.stringify([verify, more.cert, http2, checked, more.unix_socket, proxy?.href]);
    const open = this.#open.get(key);
    if (open) return open;
    const opening = this.#make({ ...more, verify, http2, checked }, proxy).then(
      (pool) => {
        // One that was closed meanwhile does not come back.
        if (this.#open.get(key) === opening) this.#open.set(key, pool);
        return pool;
      },
      (error: unknown) => {
        this.#open.delete(key);
        throw error;
      },
    );
    this.#open.set(key, opening);
    return opening;
  }

  /** A pool without a proxy that only the caller uses, and closes; its connections wait on `line` for one another. */
  async fresh({ verify = true, checked = false, ...more }: WayOut, line: StartingLine): Promise<ConnectionPool> {
    return await this.#make({ ...more, verify, http2: false, checked }, undefined, line);
  }

  async close(): Promise<void> {
    const pools = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(pools.map(async (pool) => await (await pool).close()));
  }

  async #make(
    {
      verify,
      cert,
      http2,
      checked,
      unix_socket: socket,
    }: Pick<HttpRequest, 'cert' | 'unix_socket'> & {
      readonly verify: boolean | string;
      readonly http2: boolean;
      readonly checked: boolean;
    },
    proxy: URL | undefined,
    line?: StartingLine,
  ): Promise<ConnectionPool> {
    const { host, folders } = this.#context;
    if (socket !== undefined && checked)
      throw fail.outboundPrivate({ host: socket, address: 'this machine', what: 'a Unix socket' });
    if (proxy?.password) this.#context.mask(decodeURIComponent(proxy.password));
    return await openPool({
      identity: await readIdentity({ verify, ...(cert === undefined ? {} : { cert }) }, host.files, folders.cwd),
      http2,
      now: () => host.clock.monotonic(),
      ...(proxy ? { proxy } : {}),
      ...(line ? { line } : {}),
      ...(socket === undefined ? {} : { socket: resolve(folders.cwd, socket) }),
      ...(checked ? { pins: this.#pins } : {}),
      ...(this.#context.settings.dns && { names: this.#context.settings.dns }),
    });
  }
}
