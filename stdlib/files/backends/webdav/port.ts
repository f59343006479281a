import type { StorageSession } from '../session.ts';
import type { WebdavLogin } from './login.ts';
import type { WebdavBackend } from './webdav.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly webdav: StorageSession<WebdavLogin, WebdavBackend>;
  }
}
