import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

/** More than a million files have. */
const MOST_BYTES = 256 * 1024 * 1024;

export interface RecordedEntry {
  readonly size: number | undefined;
  readonly checksum: string | undefined;
  readonly link: string | undefined;
}

export interface Manifest {
  readonly algorithm: string;
  readonly files: Readonly<Record<string, RecordedEntry>>;
}

/** Reads a manifest whose names lead to places below `root`; a name that leads elsewhere is refused. */
export async function readManifest(files: Files, path: string, root: string): Promise<Manifest> {
  const found = await files.find(path);
  if (found?.kind !== 'file') throw fail.manifestNotFound({ path });
  if (found.size > MOST_BYTES)
    throw fail.manifestBroken({ path, expected: `at most ${MOST_BYTES} bytes`, actual: found.size });
  const content = parse(await files.read(path), path);
  const { version, algorithm, files: recorded } = content;
  if (version !== undefined && version !== 1) throw fail.manifestVersion({ path, version: JSON.stringify(version) });
  if (!isObject(recorded) || (algorithm !== undefined && typeof algorithm !== 'string'))
    throw fail.manifestBroken({ path });
  for (const name of Object.keys(recorded)) {
    if (leavesRoot(name)) throw fail.pathOutside({ name, base: root });
  }
  const entries = Object.entries(recorded).map(([name, entry]) => [name, entryOf(entry, path)] as const);
  return { algorithm: algorithm ?? 'sha256', files: Object.fromEntries(entries) };
}

function parse(bytes: Uint8Array, path: string): JsonObject {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw fail.manifestBroken({ path, cause });
  }
  if (!isObject(content)) throw fail.manifestBroken({ path });
  return content;
}

function entryOf(entry: unknown, path: string): RecordedEntry {
  if (!isObject(entry)) throw fail.manifestBroken({ path });
  const { size, checksum, link } = entry;
  return {
    size: typeof size === 'number' ? size : undefined,
    checksum: typeof checksum === 'string' ? checksum : undefined,
    link: typeof link === 'string' ? link : undefined,
  };
}

/**
 * Names are divided by `/` on every system. Other forms that lead elsewhere fit nothing that a walk of the tree finds.
 */
function leavesRoot(name: string): boolean {
  return name.startsWith('/') || name.split('/').includes('..');
}
