import type { Backend } from '../backend.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly nearStorage: NearStorage;
  }
}

/** Storage that needs no connection: the files of this machine, and the memory of the unit. */
export interface NearStorage {
  readonly local: Backend;
  readonly memory: Backend;
}
