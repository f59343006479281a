import type { Failure } from '#schemas/types/failure.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly browserProxy: BrowserProxyPort;
  }
}

/**
 * The way out of browsers where the host has denied the gate `private`: a proxy of our own that asks `outbound` for
 * every connection.
 */
export interface BrowserProxyPort {
  /** One for each browser. It listens on loopback until the end of the unit. */
  open(): Promise<BrowserProxy>;
}

export interface BrowserProxy {
  /** Port on 127.0.0.1, where it speaks SOCKS 5 with whoever comes. */
  readonly port: number;
  /** The last connection that was refused since this was asked before. Asking forgets it. */
  takeRefusal(): Failure | undefined;
}
