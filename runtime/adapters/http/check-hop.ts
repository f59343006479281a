import type { Ports } from '#runtime/kernel/ports.ts';

import type { Waits } from './deadline.ts';
import { HopError } from './hop.ts';

/** The addresses that a checked request may connect to. Waits no longer than the deadline. */
export async function checkHop(
  outbound: Ports['outbound'],
  url: URL,
  deadline: Waits,
  allowPrivate = false,
): Promise<readonly string[]> {
  const controller = new AbortController();
  let over: HopError | undefined;
  deadline.wait((reason) => {
    over = new HopError(reason, 'connect', false);
    controller.abort(over);
  });
  try {
    const { addresses } = await outbound.checkUrl(url.href, { signal: controller.signal, allowPrivate });
    return addresses;
  } finally {
    deadline.leave();
  }
}
