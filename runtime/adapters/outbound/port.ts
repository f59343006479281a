declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly outbound: OutboundPort;
  }
}

/**
 * Says what may be connected to from an address that came from outside: no place of this machine, of a private network
 * or of the cloud that this runs in. The gate `private` lets private networks and this machine in, never the rest.
 *
 * A name is looked up once, all its addresses are checked, and they are given back: connect to these, with the name
 * kept for TLS and the `Host` header. Looking the name up again would let its owner answer differently. Ask again for
 * each redirect.
 */
export interface OutboundPort {
  /** Checks an http or https address. Fails in the words of what is wrong with it. */
  checkUrl(url: string, options: OutboundOptions): Promise<CheckedTarget>;
  /**
   * The host has denied the gate `private`: then this holds for every connection of the run, whoever opens it, and not
   * only for addresses that came from outside.
   */
  readonly isStrict: boolean;
  /** Checks the host of another protocol, such as mail: a name or an address. */
  checkHost(host: string, options: OutboundOptions): Promise<readonly string[]>;
}

export interface OutboundOptions {
  readonly signal: AbortSignal;
  /** Lets private networks and this machine in although the gate is closed. */
  readonly allowPrivate?: boolean;
}

export interface CheckedTarget {
  readonly url: URL;
  /** IPv4 and IPv6, at least one, each of them checked. */
  readonly addresses: readonly string[];
}
