import type { Provider } from '#runtime/kernel/ports.ts';

import { RenewedAccess } from '../drives/access.ts';
import { storageSession } from '../session.ts';
import { Drive } from './drive.ts';
import type { DriveLogin } from './port.ts';
import { openTokens } from './tokens.ts';

export const provider: Provider<'drive'> = {
  open: (context) =>
    storageSession<DriveLogin, Drive>(context, {
      name: 'drive',
      open: async (login, { signal }) => {
        const http = await context.port('http');
        const { host } = context;
        const tokens = await openTokens({ host, http, mask: context.mask, notice: context.notice, signal }, login);
        const access = new RenewedAccess(tokens.granted, () => host.clock.now(), tokens.renew);
        await access.token();
        const warn = (text: string): void => context.notice('warning', text);
        return new Drive({ http, clock: host.clock, warn }, access, login.endpoint);
      },
    }),
};
