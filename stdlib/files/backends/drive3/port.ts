import type { StorageSession } from '../session.ts';
import type { Drive3 } from './drive3.ts';
import type { Drive3Login } from './login.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly drive3: StorageSession<Drive3Login, Drive3>;
  }
}
