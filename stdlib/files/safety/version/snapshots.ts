import type { Files } from '#schemas/types/host.ts';

export interface Snapshot {
  readonly version: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly name: string;
}

const form = /^v(\d{6,15})__(\d{1,20})$/;

/** `v<number, six digits at least>__<nanoseconds since 1970>`. */
export function snapshotName(version: number, now: number): string {
  return `v${String(version).padStart(6, '0')}__${BigInt(Math.round(now)) * 1_000_000n}`;
}

export function snapshotNamed(name: string): Snapshot | undefined {
  const [, version = '', nanoseconds = ''] = form.exec(name) ?? [];
  return version === '' ? undefined : { version: Number(version), timestamp: Number(nanoseconds) / 1e9, name };
}

/** Snapshots in a folder, oldest first; none where there is no such folder. */
export async function snapshotsIn(files: Files, folder: string): Promise<Snapshot[]> {
  const found = await files.find(folder);
  if (found === undefined) return [];
  const entries = await files.list(folder);
  return entries
    .flatMap(({ name, kind }) => (kind === 'file' ? (snapshotNamed(name) ?? []) : []))
    .sort((one, other) => one.version - other.version);
}
