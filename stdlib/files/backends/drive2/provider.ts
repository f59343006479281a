import type { Provider } from '#runtime/kernel/ports.ts';

import { givenAccess, RenewedAccess } from '../drives/access.ts';
import { storageSession } from '../session.ts';
import { askDeviceCode, renewed } from './device-code.ts';
import { Drive2 } from './drive2.ts';
import type { Drive2Login } from './login.ts';
import type { Drive2Session } from './port.ts';

export const provider: Provider<'drive2'> = {
  open: (context): Drive2Session => {
    const { host, mask, notice } = context;
    const session = storageSession<Drive2Login, Drive2>(context, {
      name: 'drive2',
      open: async ({ token, endpoint, renewal }) => {
        mask(token);
        const http = await context.port('http');
        let last = renewal;
        const access =
          renewal === undefined
            ? givenAccess(token)
            : new RenewedAccess(
                { token, expiresAt: renewal.expiresAt },
                () => host.clock.now(),
                async (signal) => {
                  const granted = await renewed({ http, clock: host.clock, mask, notice }, last ?? renewal, signal);
                  last = granted.renewal;
                  return { token: granted.token, expiresAt: granted.renewal.expiresAt };
                },
              );
        return new Drive2({ http, clock: host.clock }, access, { token, endpoint });
      },
    });
    return {
      ...session,
      signIn: async (wanted, { signal }, profile) => {
        const tools = { http: await context.port('http'), clock: host.clock, mask, notice };
        const { token, renewal, scope, seconds } = await askDeviceCode(tools, wanted, signal);
        await session.connect({ token, endpoint: wanted.endpoint, renewal }, { signal }, profile);
        return { expires_in: seconds, scope };
      },
    };
  },
};
