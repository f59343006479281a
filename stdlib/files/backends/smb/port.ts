import type { StorageSession } from '../session.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly smb: StorageSession<SmbLogin>;
  }
}

/** Share that is meant, and the login for it. */
export interface SmbLogin {
  readonly server: string;
  /** Outer slashes mean nothing. */
  readonly share: string;
  /** `name`, `DOMAIN\name`; undefined: nobody by name. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly port: number;
  /** Refuses a server that does not encrypt. */
  readonly encrypt: boolean;
  /** For connecting, and for each question. */
  readonly timeoutMs: number;
}
