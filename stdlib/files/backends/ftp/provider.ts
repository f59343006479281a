import type { Provider } from '#runtime/kernel/ports.ts';

import type { Backend } from '../backend.ts';
import { storageSession } from '../session.ts';
import type { FtpLogin } from './port.ts';

export const provider: Provider<'ftp'> = {
  open: (context) =>
    storageSession<FtpLogin, Backend>(context, {
      name: 'ftp',
      open: async (login, options) => {
        if (login.password !== '') context.mask(login.password);
        const { openFtp } = await import('./ftp.ts');
        const { host, folders, notice } = context;
        return await openFtp({ host, folders, notice, outbound: await context.port('outbound') }, login, options);
      },
    }),
};
