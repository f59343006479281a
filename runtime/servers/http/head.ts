import type { IncomingMessage } from 'node:http';

import type { RequestHead } from './protocol.ts';

/** What of a request decides where it goes. */
export function headOf({ method = '', url = '', headers }: IncomingMessage): RequestHead {
  return {
    method,
    target: url,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    ),
  };
}
