import type { Provider } from '#runtime/kernel/ports.ts';

import { storageSession } from '../session.ts';
import { findCredentials } from './credentials.ts';
import { ObjectStore } from './objstore.ts';
import type { ObjstoreLogin } from './port.ts';

export const provider: Provider<'objstore'> = {
  open: (context) =>
    storageSession<ObjstoreLogin, ObjectStore>(context, {
      name: 'objstore',
      open: async (login) => {
        if (login.secretKey !== undefined && login.secretKey !== '') context.mask(login.secretKey);
        const credentials = await findCredentials(context, login);
        context.mask(credentials.secretKey);
        if (credentials.sessionToken !== undefined) context.mask(credentials.sessionToken);
        const [http, signature, xml] = [
          await context.port('http'),
          await context.port('awsSignature'),
          await context.port('xml'),
        ];
        return new ObjectStore({ http, signature, xml, clock: context.host.clock }, credentials);
      },
    }),
};
