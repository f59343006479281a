import type { Provider } from '#runtime/kernel/ports.ts';

import type { Backend } from '../backend.ts';
import { storageSession } from '../session.ts';
import type { SftpLogin } from './port.ts';

export const provider: Provider<'sftp'> = {
  open: (context) =>
    storageSession<SftpLogin, Backend>(context, {
      name: 'sftp',
      open: async (login, options) => {
        if (login.password !== undefined && login.password !== '') context.mask(login.password);
        const { openSftp } = await import('./sftp.ts');
        return await openSftp({ host: context.host, outbound: await context.port('outbound') }, login, options);
      },
    }),
};
