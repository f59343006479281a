import type { Provider } from '#runtime/kernel/ports.ts';

import { storageSession } from '../session.ts';
import type { WebdavLogin } from './login.ts';
import type { WebdavBackend } from './webdav.ts';

export const provider: Provider<'webdav'> = {
  open: (context) =>
    storageSession<WebdavLogin, WebdavBackend>(context, {
      name: 'webdav',
      open: async (login, options) => {
        if (login.password !== undefined && login.password !== '') {
          context.mask(login.password);
          context.mask(Buffer.from(`${login.username ?? ''}:${login.password}`).toString('base64'));
        }
        const { openWebdav } = await import('./webdav.ts');
        const tools = {
          http: await context.port('http'),
          xml: await context.port('xml'),
          clock: context.host.clock,
          notice: context.notice,
        };
        return await openWebdav(tools, login, options);
      },
    }),
};
