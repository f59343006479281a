import { dirname, join } from 'node:path';

import { packageOf } from '#grammar/module-ref/parse.ts';
import type { Files } from '#schemas/types/host.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

/**
 * The file that `import` of this name would load in a module of that folder, by Node's rules for ES modules; Node
 * itself answers that question for its own modules alone. Undefined where no such package is installed beside the
 * folder or above it, or where the package does not offer the subpath.
 */
export async function resolvePackage(specifier: string, folder: string, files: Files): Promise<string | undefined> {
  const name = packageOf(specifier);
  const home = await homeOf(name, folder, files);
  return home === undefined ? undefined : await fileOf(home, `.${specifier.slice(name.length)}`, files);
}

/** Folder of a package that is installed beside a folder or above it. */
export async function homeOf(name: string, folder: string, files: Files): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const home = join(at, 'node_modules', name);
    if ((await files.find(home))?.kind === 'directory') return home;
    if (dirname(at) === at) return undefined;
  }
}

async function fileOf(home: string, subpath: string, files: Files): Promise<string | undefined> {
  const { exports = null, main } = await manifestOf(home, files);
  if (exports !== null) return firstOf([exported(exports, subpath) ?? undefined], home, files);
  if (subpath !== '.') return firstOf([subpath], home, files);
  const begins = typeof main === 'string' ? [main, `${main}.js`, `${main}/index.js`] : [];
  return firstOf([...begins, 'index.js'], home, files);
}

async function manifestOf(home: string, files: Files): Promise<{ readonly exports?: Json; readonly main?: Json }> {
  const path = join(home, 'package.json');
  if ((await files.find(path))?.kind !== 'file') return {};
  const manifest = JSON.parse(new TextDecoder().decode(await files.read(path))) as Json;
  return isObject(manifest) ? manifest : {};
}

async function firstOf(
  candidates: readonly (string | undefined)[],
  home: string,
  files: Files,
): Promise<string | undefined> {
  for (const candidate of candidates) {
    const path = candidate === undefined ? undefined : join(home, candidate);
    if (path !== undefined && (await files.find(path))?.kind === 'file') return path;
  }
  return undefined;
}

/** Target that the field `exports` gives for a subpath; null: the package keeps it to itself. */
function exported(exports: Json, subpath: string): string | null | undefined {
  const isTable = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const table = isTable ? exports : { '.': exports };
  if (Object.hasOwn(table, subpath)) return target(table[subpath] ?? null, '');
  const [best] = Object.keys(table)
    .filter((key) => fitsPattern(key, subpath))
    .sort((a, b) => b.indexOf('*') - a.indexOf('*') || b.length - a.length);
  if (best === undefined) return undefined;
  const [before = '', after = ''] = best.split('*');
  return target(table[best] ?? null, subpath.slice(before.length, subpath.length - after.length));
}

function fitsPattern(key: string, subpath: string): boolean {
  const [before = '', after, more] = key.split('*');
  return (
    after !== undefined &&
    more === undefined &&
    subpath.length >= key.length &&
    subpath.startsWith(before) &&
    subpath.endsWith(after)
  );
}

const CONDITIONS: ReadonlySet<string> = new Set(['node-addons', 'node', 'import', 'module-sync', 'default']);

/** Target of an export: the first condition that holds, or the first entry of a list that leads somewhere. */
function target(value: Json, match: string): string | null | undefined {
  if (value === null) return null;
  if (typeof value === 'string') return value.startsWith('./') ? value.replaceAll('*', () => match) : undefined;
  const options = isList(value)
    ? value
    : isObject(value)
      ? Object.keys(value)
          .filter((key) => CONDITIONS.has(key))
          .map((key) => value[key] ?? null)
      : [];
  for (const option of options) {
    const found = target(option, match);
    if (found !== undefined && !(found === null && isList(value))) return found;
  }
  return undefined;
}
