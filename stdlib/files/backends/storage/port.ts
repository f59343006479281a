import type { Backend, CallOptions } from '../backend.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly storage: Storage;
  }
}

/** Storage by address: of this machine, in memory, over the connections that are open, or over one made for a call. */
export interface Storage {
  /** `options`: the parameters of the command that would connect; none means the connection that is open. Close it. */
  open(address: string, options: StorageOptions, call: CallOptions): Promise<StoragePlace>;
}

/** Options of one call, by name. */
export type StorageOptions = Readonly<Record<string, unknown>>;

export interface StoragePlace {
  readonly backend: Backend;
  readonly path: string;
  /** The beginning of the address, as it was written: what goes before paths of this place. */
  readonly prefix: string;
  /** Ends what was made for this call, and nothing else. */
  close(): Promise<void>;
}
