import type { Provider } from '#runtime/kernel/ports.ts';

import { storageSession } from '../session.ts';
import { FileSync } from './filesync.ts';
import type { FilesyncLogin } from './login.ts';

export const provider: Provider<'filesync'> = {
  open: (context) =>
    storageSession<FilesyncLogin, FileSync>(context, {
      name: 'filesync',
      open: async (login) => {
        context.mask(login.token);
        return new FileSync({ http: await context.port('http'), clock: context.host.clock }, login);
      },
    }),
};
