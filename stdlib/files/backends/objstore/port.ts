import type { PrefixBackend } from '../backend.ts';
import type { StorageSession } from '../session.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly objstore: StorageSession<ObjstoreLogin, PrefixBackend>;
  }
}

/**
 * Login of an object store. Each part left out is looked for where other tools of the store look: in the
 * environment, then in the user's files.
 */
export interface ObjstoreLogin {
  readonly accessKey?: string | undefined;
  readonly secretKey?: string | undefined;
  readonly region?: string | undefined;
  /** Another service with the same interface; its buckets stand in the path. */
  readonly endpoint?: string | undefined;
}
