import { isLoopback } from '#grammar/http/hosts.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

export interface BindRules {
  /** Name of the server in failures: `HTTP action`. */
  readonly server: string;
  readonly host: string;
  readonly port: number;
  readonly allowReachable: boolean;
  /** Whether callers must give a secret; absent: the server has none to ask for. */
  readonly asksForSecret?: boolean;
}

/** Address on which a server listens. */
export interface BindAddress {
  /** An address, not a name: what was checked is what is listened on. */
  readonly address: string;
  readonly isLoopback: boolean;
}

/** Addresses that stand for all that the machine has. */
const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * The address to listen on. Refuses a host of which any address is not of this machine alone, unless that was allowed;
 * then it must have a secret.
 */
export async function bindAddress(rules: BindRules, lookup: Host['lookup']): Promise<BindAddress> {
  const { host, port, server } = rules;
  if (host.trim() === '') {
    const empty = 'the host is empty; 127.0.0.1 is this machine alone, 0.0.0.0 every address that it has';
    throw fail.serverAddress({ server, host: '', port, reason: empty });
  }
  const reason = 'the name leads to no address';
  const addresses = isAddress(host)
    ? [host]
    : await lookup(host).catch((cause: unknown) => {
        throw fail.serverAddress({ server, host, port, reason, cause });
      });
  const [first] = addresses;
  if (first === undefined) throw fail.serverAddress({ server, host, port, reason });
  const reachable = addresses.find((address) => !isLoopback(address));
  if (reachable === undefined)
    return { address: addresses.find((each) => !each.includes(':')) ?? first, isLoopback: true };
  if (!rules.allowReachable)
    throw fail.serverReachable({ host, address: ANY.has(reachable) ? 'every address of this machine' : reachable });
  if (rules.asksForSecret === false) throw fail.serverWithoutSecret({ host, server });
  return { address: reachable, isLoopback: false };
}

function isAddress(host: string): boolean {
  return host.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}
