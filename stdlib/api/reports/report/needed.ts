import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Exchanges } from './fields.ts';

/** What was recorded so far; a report about nothing would look like a good one. */
export function needed({ requestLog }: Pick<Ports, 'requestLog'>): Exchanges {
  const exchanges = requestLog.exchanges();
  if (exchanges.passed.length + exchanges.failed.length === 0) throw fail.reportNothing({});
  return exchanges;
}
