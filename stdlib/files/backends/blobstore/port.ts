import type { PrefixBackend } from '../backend.ts';
import type { StorageSession } from '../session.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly blobstore: StorageSession<BlobstoreLogin, PrefixBackend>;
  }
}

/** A connection string, or the address of an account with what proves who asks. */
export interface BlobstoreLogin {
  readonly connectionString?: string | undefined;
  readonly accountUrl?: string | undefined;
  /** The account's key, a shared access signature or an access token; none asks as anybody. */
  readonly credential?: string | undefined;
}
