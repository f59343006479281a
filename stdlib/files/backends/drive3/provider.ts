import type { Provider } from '#runtime/kernel/ports.ts';

import { givenAccess, RenewedAccess } from '../drives/access.ts';
import { storageSession } from '../session.ts';
import { addressesOf, Drive3 } from './drive3.ts';
import type { Drive3Login } from './login.ts';
import { renewed } from './renewal.ts';

export const provider: Provider<'drive3'> = {
  open: (context) =>
    storageSession<Drive3Login, Drive3>(context, {
      name: 'drive3',
      open: async (login) => {
        const { host, mask } = context;
        for (const secret of [login.token, login.clientSecret]) if (secret !== '') mask(secret);
        const http = await context.port('http');
        const addresses = addressesOf(login.endpoint);
        const access =
          login.tokenPath === undefined
            ? givenAccess(login.token)
            : new RenewedAccess(
                { token: login.token },
                () => host.clock.now(),
                (signal) => renewed({ host, http, mask }, login, addresses.sign, signal),
              );
        return new Drive3({ http, clock: host.clock }, access, login);
      },
    }),
};
