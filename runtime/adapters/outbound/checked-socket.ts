import { Socket } from 'node:net';

import * as fail from '#schemas/generated/failures.ts';

/**
 * A socket that connects to the first address that `check` gives for a host, and is destroyed with the failure where it
 * gives none. Sockets of this machine have no address: they are refused.
 */
export function checkedSocket(check: (host: string) => Promise<readonly string[]>): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  const connectChecked = (port: unknown, host: unknown): Socket => {
    if (typeof port !== 'number' || typeof host !== 'string') {
      return socket.destroy(
        fail.outboundPrivate({ host: String(port), address: 'no address', what: 'a socket of this machine' }),
      );
    }
    check(host).then(
      ([address = '']) => socket.destroyed || connect(port, address),
      (error: Error) => socket.destroy(error),
    );
    return socket;
  };
  return Object.assign(socket, { connect: connectChecked });
}
