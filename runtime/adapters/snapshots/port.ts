/** Stored texts and pictures that later runs are compared with. */
export interface Snapshots {
  /** The run was asked to store what it sees in place of comparing (`svc run --update-snapshots`). */
  readonly updating: boolean;
  /** A step that compares has stored one. When its unit ends, people are told. */
  stored(path: string, how: 'created' | 'updated'): void;
  /** The name that first used the file of this path, absolute, in this unit; `name` where none has. */
  owner(path: string, name: string): string;
  /** The file of the path is gone: it belongs to nobody. */
  removed(path: string): void;
}

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly snapshots: Snapshots;
  }
}
