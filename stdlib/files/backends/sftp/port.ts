import type { StorageSession } from '../session.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly sftp: StorageSession<SftpLogin>;
  }
}

/** Address of a server, and the login there. */
export interface SftpLogin {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** Password of the user, which also unlocks the key. */
  readonly password?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly knownHosts?: string | undefined;
  readonly timeoutMs: number;
}
