import { Socket } from 'node:net';

import type { Provider } from '#runtime/kernel/ports.ts';

import { checkHost, checkUrl, type CheckRules } from './check-target.ts';
import { checkedLookup } from './checked-lookup.ts';
import { checkedSocket } from './checked-socket.ts';
import type { OutboundOptions } from './port.ts';
import type {} from './sockets.ts';

export const provider: Provider<'outbound'> = {
  open: ({ host, isOpen, isDenied }) => {
    const rules = ({ signal, allowPrivate = false }: Partial<OutboundOptions>): CheckRules => ({
      lookup: (name) => host.lookup(name),
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
