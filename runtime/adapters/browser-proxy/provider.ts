import type { Provider } from '#runtime/kernel/ports.ts';

import type {} from './port.ts';

export const provider: Provider<'browserProxy'> = {
  open: ({ port, release }) => ({
    async open() {
      const { listen } = await import('./socks-server.ts');
      const outbound = await port('outbound');
      const end = new AbortController();
      const server = await listen((host) => outbound.checkHost(host, { signal: end.signal }));
      release(() => {
        end.abort();
        return server.close();
      });
      return server;
    },
  }),
};
