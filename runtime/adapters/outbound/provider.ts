import { Socket } from 'node:net';

import type { Host } from '#schemas/types/host.ts';
import { addressOf } from '#schemas/types/listed-address.ts';
import type { Provider } from '#runtime/kernel/ports.ts';

import { checkHost, checkUrl, type CheckRules } from './check-target.ts';
import { checkedLookup } from './checked-lookup.ts';
import { checkedSocket } from './checked-socket.ts';
import type { OutboundOptions } from './port.ts';
import type {} from './sockets.ts';

export const provider: Provider<'outbound'> = {
  open: ({ host, isOpen, isDenied, settings }) => {
    const rules = ({ signal, allowPrivate = false }: Partial<OutboundOptions>): CheckRules => ({
      lookup: (name) => lookUp(name, host, settings.dns),
      allowPrivate: !isDenied('private') && (allowPrivate || isOpen('private')),
      ...(signal && { signal }),
    });
    const check = (name: string): Promise<readonly string[]> => checkHost(name, rules({}));
    return {
      lookup: checkedLookup(check),
      get isStrict() {
        return isDenied('private');
      },
      socket: () => (isDenied('private') ? checkedSocket(check) : new Socket()),
      checkUrl: (url, options) => checkUrl(url, rules(options)),
      checkHost: (name, options) => checkHost(name, rules(options)),
    };
  },
};

/** Addresses of a name: those of the configuration in place of what name servers say. */
async function lookUp(
  name: string,
  host: Pick<Host, 'lookup'>,
  names?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const listed = addressOf(name, names);
  return listed === undefined ? await host.lookup(name) : [listed];
}
