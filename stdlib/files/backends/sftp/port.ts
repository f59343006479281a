import type { StorageSession } from '../session.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly sftp: StorageSession<SftpLogin>;
  }
}

/** How a server is reached, and who comes. */
export interface SftpLogin {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** Also unlocks the key. */
  readonly password?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly knownHosts?: string | undefined;
  readonly timeoutMs: number;
}
