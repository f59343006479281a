import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';
import { digestNamed } from '#stdlib/files/digest-name.ts';

import { readChecksumLines } from './checksum-lines.ts';

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
  const text = decode(await files.read(path), path);
  const content = /^\s*(?:[{[]|$)/.test(text) ? parse(text, path) : fromLines(text, path);
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

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fail.manifestBroken({ path, cause });
  }
}

/** Checksums of `sha256sum` and its kin as a manifest; all lines have one algorithm. */
function fromLines(text: string, path: string): JsonObject {
  const lines = readChecksumLines(text);
  if (typeof lines === 'number')
    throw fail.manifestBroken({ path, cause: new Error(`line ${lines} is neither JSON nor a checksum with a name`) });
  const algorithms = new Set(lines.map(({ algorithm }) => digestNamed(algorithm).name));
  const [algorithm = 'sha256', another] = algorithms;
  if (another !== undefined)
    throw fail.manifestBroken({ path, expected: 'digests of one algorithm', actual: [...algorithms].join(', ') });
  return { algorithm, files: Object.fromEntries(lines.map(({ name, checksum }) => [name, { checksum }])) };
}

function parse(text: string, path: string): JsonObject {
  let content: unknown;
  try {
    content = JSON.parse(text);
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
