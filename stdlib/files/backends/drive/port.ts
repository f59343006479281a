import type { StorageSession } from '../session.ts';
import type { Drive } from './drive.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly drive: StorageSession<DriveLogin, Drive>;
  }
}

export interface DriveLogin {
  readonly tokenPath: string;
  readonly credentialsPath: string;
  /** Another service with the same interface. */
  readonly endpoint?: string | undefined;
  /** Seconds that a person has to sign in; undefined: as long as usual where somebody sits at a terminal, else none. */
  readonly signInSeconds?: number | undefined;
}
