import type { Provider } from '#runtime/kernel/ports.ts';

import type { Backend } from '../backend.ts';
import { storageSession } from '../session.ts';
import type { SmbLogin } from './port.ts';

export const provider: Provider<'smb'> = {
  open: (context) =>
    storageSession<SmbLogin, Backend>(context, {
      name: 'smb',
      open: async (login, options) => {
        if (login.password !== undefined && login.password !== '') context.mask(login.password);
        const { openSmb } = await import('./smb.ts');
        return await openSmb(context, await context.port('outbound'), login, options);
      },
    }),
};
