import { sep } from 'node:path';

/** Paths that steps may change; `all` where only a run knows them. */
export interface Writes {
  readonly paths: ReadonlySet<string>;
  readonly all: boolean;
}

export const NO_WRITES: Writes = { paths: new Set(), all: false };
export const ALL_WRITES: Writes = { paths: new Set(), all: true };

export function joined(writes: readonly Writes[]): Writes {
  return { paths: new Set(writes.flatMap(({ paths }) => [...paths])), all: writes.some(({ all }) => all) };
}

/** Whether a file, or a folder above it, may be changed. */
export function mayChange({ paths, all }: Writes, file: string): boolean {
  return all || [...paths].some((path) => file === path || file.startsWith(path + sep));
}
