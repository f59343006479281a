import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { percentDecoded } from '../source/percent-decoded.ts';

/** Place of a document, from which the files beside it are found. */
export interface Surroundings {
  /** Absolute path of the document. */
  readonly path: string;
  /** Folder that references may not leave; that of the document where it stands elsewhere. */
  readonly root: string;
  /** Value of a JSON or YAML file; undefined: there is none, or it cannot be read. */
  readonly read: (path: string) => Promise<Json | undefined>;
}

/** Name under which the files stand in the document. */
const KEY = 'x-files';
/** Files that are read at most: references to others lead nowhere. */
const MOST_FILES = 500;
const DEEPEST = 512;

/**
 * A document with the files of this machine that its references lead to, which then are references inside of it. Files
 * outside of the root are never read; references to them, to other machines and to what is no file lead nowhere.
 */
export async function gatherFiles(document: JsonObject, around: Surroundings): Promise<JsonObject> {
  const start = absolute(around.path);
  const root = [absolute(around.root), folderOf(start)].find((folder) => start.startsWith(`${folder}/`)) ?? '';
  const files = new Map<string, Json>([[start, document]]);
  for (const [path, value] of files)
    for (const { path: target } of outerReferences(value, path))
      if (!files.has(target) && files.size <= MOST_FILES && target.startsWith(`${root}/`)) {
        const read = await around.read(target);
        if (read !== undefined) files.set(target, read);
      }
  if (files.size === 1) return document;
  const whole = inside(document, { path: start, start, files, seen: new Map(), depth: 0 });
  const others = [...files].slice(1).map(([path, value]) => {
    return [path, inside(value, { path, start, files, seen: new Map(), depth: 0 })] as const;
  });
  return { ...(whole as JsonObject), [KEY]: Object.fromEntries(others) };
}

interface Target {
  readonly path: string;
  /** Pointer with the sign before it, or nothing. */
  readonly fragment: string;
}

/** References of a file to other files, each once. */
function outerReferences(value: Json, path: string): readonly Target[] {
  const found = new Map<string, Target>();
  const waiting = new Set<Json>([value]);
  for (const one of waiting) {
    if (typeof one !== 'object' || one === null) continue;
    for (const written of isObject(one) ? referencesOf(one) : []) {
      const target = targetOf(written, path);
      if (target && target.path !== path) found.set(target.path, target);
    }
    for (const item of Object.values(one)) waiting.add(item);
  }
  return [...found.values()];
}

/** The reference of an object, and those by which its discriminator names alternatives. */
function referencesOf({ $ref: reference, propertyName, mapping }: JsonObject): readonly string[] {
  const mapped = propertyName !== undefined && isObject(mapping) ? Object.values(mapping) : [];
  return [reference, ...mapped.filter(isFile)].filter((one) => typeof one === 'string');
}

/** Names of schemas stand in mappings as well. */
function isFile(written: Json | undefined): boolean {
  return typeof written === 'string' && /[/#.]/.test(written);
}

/** The file that a reference leads to; undefined: it leads to another machine. */
function targetOf(written: string, path: string): Target | undefined {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(written) ?? [];
  if (address === '') return { path, fragment };
  if (/^(?:[a-z][\w+.-]*:|\/)/i.test(address)) return undefined;
  return { path: absolute(`${folderOf(path)}/${percentDecoded(address)}`), fragment };
}

interface Place {
  readonly path: string;
  /** Path of the document itself. */
  readonly start: string;
  readonly files: ReadonlyMap<string, Json>;
  /** Values that stand at several places, as aliases of YAML do, are written once. */
  readonly seen: Map<Json, Json>;
  readonly depth: number;
}

/** A value with its references as they are inside of the one document. */
function inside(value: Json, place: Place): Json {
  if (typeof value !== 'object' || value === null || place.depth > DEEPEST) return value;
  const known = place.seen.get(value);
  if (known !== undefined) return known;
  const deeper = { ...place, depth: place.depth + 1 };
  const made = Array.isArray(value)
    ? (value as readonly Json[]).map((item) => inside(item, deeper))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fieldInside(key, item, value, deeper)]));
  place.seen.set(value, made);
  return made;
}

function fieldInside(key: string, value: Json, holder: Json, place: Place): Json {
  if (key === '$ref' && typeof value === 'string') return referenceInside(value, place);
  if (key !== 'mapping' || !isObject(value) || !isObject(holder) || holder['propertyName'] === undefined)
    return inside(value, place);
  return Object.fromEntries(
    Object.entries(value).map(([name, written]) => [
      name,
      typeof written === 'string' && isFile(written) ? referenceInside(written, place) : (written ?? null),
    ]),
  );
}

function referenceInside(written: string, { path, start, files }: Place): string {
  const target = targetOf(written, path);
  // An anchor is looked for in the whole document.
  if (!target || !files.has(target.path) || /^#[^/]/.test(target.fragment)) return written;
  const pointer = target.fragment.replace(/^#/, '');
  if (target.path === start) return `#${pointer}`;
  return `#/${KEY}/${encodeURIComponent(target.path.replaceAll('~', '~0').replaceAll('/', '~1'))}${pointer}`;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** A path with slashes, without dots; `..` at the root stays there. */
function absolute(path: string): string {
  const kept: string[] = [];
  for (const piece of path.replaceAll('\\', '/').split('/')) {
    if (piece === '..') kept.pop();
    else if (piece !== '.' && piece !== '') kept.push(piece);
  }
  return `${/^[a-z]:/i.test(path) ? '' : '/'}${kept.join('/')}`;
}
