import type { StorageSession } from '../session.ts';
import type { FileSync } from './filesync.ts';
import type { FilesyncLogin } from './login.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly filesync: StorageSession<FilesyncLogin, FileSync>;
  }
}
