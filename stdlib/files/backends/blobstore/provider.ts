import type { Provider } from '#runtime/kernel/ports.ts';

import { storageSession } from '../session.ts';
import { readLogin, secretsOf } from './account.ts';
import { BlobStore } from './blobstore.ts';
import type { BlobstoreLogin } from './port.ts';

export const provider: Provider<'blobstore'> = {
  open: (context) =>
    storageSession<BlobstoreLogin, BlobStore>(context, {
      name: 'blobstore',
      open: async (login) => {
        for (const secret of secretsOf(login)) context.mask(secret);
        const account = readLogin(login);
        const [http, xml] = [await context.port('http'), await context.port('xml')];
        return new BlobStore({ http, xml, clock: context.host.clock, random: context.host.random }, account);
      },
    }),
};
