import { isAbsolute, join, normalize } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { diffJson, pointerOf } from './diff-json.ts';

export interface SnapshotCheck {
  readonly name: string;
  readonly folder: string;
  readonly payload: Json;
  readonly ignore: readonly string[];
  /** JSONPath expressions of values of which only the type counts. */
  readonly masks: readonly string[];
  readonly update: boolean;
  /** Whether a snapshot that is missing may be written. */
  readonly mayWrite: boolean;
}

const shownFindings = 5;

/** Compares with the stored value, or stores it. */
export async function compareSnapshot(
  check: SnapshotCheck,
  ctx: Base & Pick<Ports, 'files' | 'jsonPath' | 'snapshots'>,
): Promise<void> {
  const path = snapshotPath(check.folder, check.name);
  const kept = (whole: Json): Json => {
    const places = check.masks.flatMap((mask) => ctx.jsonPath.find(mask, whole));
    return canonical(whole, { ignored: new Set(check.ignore), masked: new Set(places.map(({ path: at }) => at)) });
  };
  const value = kept(check.payload);
  if (isBlank(value) && !isBlank(check.payload)) throw fail.snapshotNothing({ name: check.name });
  const before = await readText(path, ctx.files);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (check.update && before === text) return;
  if (check.update || before === undefined) {
    if (!check.update && !check.mayWrite) throw fail.snapshotMissing({ path });
    await ctx.files.write(path, text, { parents: true, durable: ctx.durable, signal: ctx.signal });
    return ctx.snapshots.stored(path, before === undefined ? 'created' : 'updated');
  }
  const differences = diffJson(kept(parsed(before, path)), value);
  if (differences.length === 0) return;
  const places = differences.slice(0, shownFindings).map(({ at, kind }) => `${kind} "${pointerOf(at)}"`);
  throw fail.snapshotDiffers({
    path,
    count: differences.length,
    findings: places.join(', '),
    expected: Object.fromEntries(differences.map(({ at, expected }) => [pointerOf(at), expected ?? null])),
    actual: Object.fromEntries(differences.map(({ at, actual }) => [pointerOf(at), actual ?? null])),
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

async function readText(path: string, files: Ports['files']): Promise<string | undefined> {
  return (await files.find(path)) ? new TextDecoder().decode(await files.read(path)) : undefined;
}

function parsed(text: string, path: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw fail.snapshotBroken({ path, reason: cause instanceof Error ? cause.message : '', cause });
  }
}

interface Varying {
  /** Keys that are left out at every depth. */
  readonly ignored: ReadonlySet<string>;
  /** Normalized paths of values that are replaced by the name of their type. */
  readonly masked: ReadonlySet<string>;
}

/** Sorted keys, without what varies. */
function canonical(value: Json, varying: Varying, at = '$'): Json {
  if (varying.masked.has(at)) return maskOf(value);
  if (Array.isArray(value)) return value.map((item: Json, index) => canonical(item, varying, `${at}[${index}]`));
  if (!isObject(value)) return value;
  const keys = Object.keys(value)
    .filter((key) => !varying.ignored.has(key))
    .sort();
  return Object.fromEntries(
    keys.map((key) => [key, canonical(value[key] ?? null, varying, `${at}[${normalizedName(key)}]`)]),
  );
}

/** A name in a normalized path (RFC 9535 section 2.7). */
function normalizedName(name: string): string {
  return `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Name of the type of a value; a value that stands in a snapshot as such a name is kept. */
function maskOf(value: Json): Json {
  if (typeof value === 'string' && /^<(?:string|number|boolean|null|array|object)>$/.test(value)) return value;
  return `<${value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value}>`;
}

/** A value without a single text, number, boolean or null in it. */
function isBlank(value: Json): boolean {
  return (Array.isArray(value) || isObject(value)) && Object.values(value).every((item) => isBlank(item as Json));
}
