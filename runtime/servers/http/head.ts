import type { IncomingMessage } from 'node:http';

import type { RequestHead } from './protocol.ts';

/** The part of a request that decides its route. */
export function headOf({ method = '', url = '', headers, rawHeaders, httpVersionMinor }: IncomingMessage): RequestHead {
  return {
    method,
    target: url,
    // Of those that decide anything Node keeps one value, or joins them.
    headers: headers as RequestHead['headers'],
    isAmbiguous: namesHostsTwice(rawHeaders) || (httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined),
  };
}

/** Node keeps the first one, what stands before the server perhaps the last. */
function namesHostsTwice(headers: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}
