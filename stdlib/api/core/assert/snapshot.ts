import { isAbsolute, join, normalize } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { diffJson } from './diff-json.ts';

export interface SnapshotCheck {
  readonly name: string;
  readonly folder: string;
  readonly payload: Json;
  readonly ignore: readonly string[];
  readonly update: boolean;
  /** Whether a snapshot that is missing may be written. */
  readonly mayWrite: boolean;
}

const shownFindings = 5;

/** Compares with the stored value, or stores it. */
export async function compareSnapshot(check: SnapshotCheck, ctx: Base & Pick<Ports, 'files'>): Promise<void> {
  const path = snapshotPath(check.folder, check.name);
  const value = canonical(check.payload, new Set(check.ignore));
  const stored = check.update ? undefined : await readSnapshot(path, ctx.files);
  if (stored === undefined) {
    if (!check.update && !check.mayWrite) throw fail.snapshotMissing({ path });
    await ctx.files.write(path, `${JSON.stringify(value, null, 2)}\n`, {
      parents: true,
      durable: ctx.durable,
      signal: ctx.signal,
    });
    return;
  }
  const differences = diffJson(canonical(stored, new Set(check.ignore)), value);
  if (differences.length === 0) return;
  const places = differences.slice(0, shownFindings).map(({ at, kind }) => `${kind} "${at}"`);
  throw fail.snapshotDiffers({
    path,
    count: differences.length,
    findings: places.join(', '),
    expected: Object.fromEntries(differences.map(({ at, expected }) => [at, expected ?? null])),
    actual: Object.fromEntries(differences.map(({ at, actual }) => [at, actual ?? null])),
  });
}

function snapshotPath(folder: string, name: string): string {
  const inside = normalize(name.replaceAll('\\', '/'));
  if (
    isAbsolute(inside) ||
    /^[A-Za-z]:/.test(inside) ||
    inside.includes('\0') ||
    inside === '..' ||
    inside.startsWith('../') ||
    inside.startsWith('..\\')
  )
    throw fail.snapshotName({ name });
  return join(folder, `${inside}.json`);
}

async function readSnapshot(path: string, files: Ports['files']): Promise<Json | undefined> {
  if (!(await files.find(path))) return undefined;
  const text = new TextDecoder().decode(await files.read(path));
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw fail.snapshotBroken({ path, reason: cause instanceof Error ? cause.message : '', cause });
  }
}

/** Sorted keys, without those that are ignored. */
function canonical(value: Json, ignored: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item: Json) => canonical(item, ignored));
  if (!isObject(value)) return value;
  const keys = Object.keys(value)
    .filter((key) => !ignored.has(key))
    .sort();
  return Object.fromEntries(keys.map((key) => [key, canonical(value[key] ?? null, ignored)]));
}
