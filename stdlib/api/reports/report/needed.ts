import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Exchanges } from './fields.ts';

/** Requests recorded so far; fails where there are none, since a report about nothing would look like a good one. */
export function needed({ requestLog, step }: Pick<Base & Ports, 'requestLog' | 'step'>): Exchanges {
  const exchanges = requestLog.exchanges(step);
  if (exchanges.passed.length + exchanges.failed.length === 0) throw fail.reportNothing({});
  return exchanges;
}
