import type { Provider } from '#runtime/kernel/ports.ts';

import { checkHost, checkUrl, type CheckRules } from './check-target.ts';
import type { OutboundOptions } from './port.ts';

export const provider: Provider<'outbound'> = {
  open: ({ host, isOpen }) => {
    const rules = ({ signal, allowPrivate = false }: OutboundOptions): CheckRules => ({
      lookup: (name) => host.lookup(name),
      allowPrivate: allowPrivate || isOpen('private'),
      signal,
    });
    return {
      checkUrl: (url, options) => checkUrl(url, rules(options)),
      checkHost: (name, options) => checkHost(name, rules(options)),
    };
  },
};
