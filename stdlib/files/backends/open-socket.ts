import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

export interface SocketWanted {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Address for messages. */
  readonly place: string;
}

/** Connects to an address that may be asked: every address of the name is checked, and one of these is used. */
export async function openSocket(outbound: Ports['outbound'], wanted: SocketWanted): Promise<Socket> {
  const { host, port, timeoutMs, signal, place } = wanted;
  const addresses = await outbound.checkHost(host, { signal });
  signal.throwIfAborted();
  const [first = ''] = addresses;
  const one = addresses.length === 1;
  const socket = connect({ host: one ? first : host, port, autoSelectFamily: !one, lookup: among(addresses) });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const stop = (): void => void socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  socket.setTimeout(timeoutMs, () => socket.destroy(fail.storageTimeout({ place, seconds: timeoutMs / 1000 })));
  socket.once('connect', () => resolve(socket));
  socket.once('error', reject);
  try {
    await promise;
    socket.setTimeout(0);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 15_000);
    return socket;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name.startsWith('storage-')) throw error;
    throw fail.storageOutOfReach({ place, reason: reasonOf(error), cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
    socket.removeListener('error', reject);
    // Whoever takes it listens; an error between the two is told by its being destroyed.
    socket.on('error', () => undefined);
  }
}

function among(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, { all }, callback) => {
    const [first] = found;
    if (all || !first) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.message;
}
