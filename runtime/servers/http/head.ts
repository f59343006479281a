import type { IncomingMessage } from 'node:http';

import type { RequestHead } from './protocol.ts';

/** The part of a request that decides its route. */
export function headOf({ method = '', url = '', headers }: IncomingMessage): RequestHead {
  return {
    method,
    target: url,
    // Of those that decide anything Node keeps one value, or joins them.
    headers: headers as RequestHead['headers'],
  };
}
