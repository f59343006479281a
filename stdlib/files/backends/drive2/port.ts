import type { CallOptions } from '../backend.ts';
import type { StorageSession } from '../session.ts';
import type { Drive2 } from './drive2.ts';
import type { DeviceCode, Drive2Login, SignedIn } from './login.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly drive2: Drive2Session;
  }
}

export interface Drive2Session extends StorageSession<Drive2Login, Drive2> {
  /**
   * Shows a code that a person enters in a browser, and waits; then connects with the token, which is renewed as long
   * as the unit lives.
   */
  signIn(wanted: DeviceCode, options: CallOptions, profile?: string | null): Promise<SignedIn>;
}
