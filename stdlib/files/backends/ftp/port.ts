import type { StorageSession } from '../session.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly ftp: StorageSession<FtpLogin>;
  }
}

/** Address of a server, and the account that logs in. */
export interface FtpLogin {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Upgrades to TLS before the login, and protects data too. */
  readonly tls: boolean;
  /** False: any certificate; text: path of a PEM file of trusted authorities, relative to the working folder. */
  readonly verify: boolean | string;
  /** For connecting, and for each silence. */
  readonly timeoutMs: number;
  /** Only true can be served. */
  readonly passive: boolean;
}
