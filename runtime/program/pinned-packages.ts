import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import * as fail from '#schemas/generated/failures.ts';

/** Time (ms) by which the clock of a file system may lag behind: it ticks with the kernel's timer. */
const CLOCK_LAG_MS = 10;

/** Names of packages with the versions that a program was made for; none: any. */
export type Wanted = Readonly<Record<string, readonly string[]>>;

/**
 * Finds packages as a module in `folder` would, and yields the real folder of each that is installed. Fails where one
 * has another version: what was tested is what runs.
 */
export function findPackages(wanted: Wanted, folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const homeOf = finder(folder);
  for (const [name, versions] of Object.entries(wanted)) {
    const home = homeOf(name);
    if (home === undefined) continue;
    if (versions.length > 0) {
      const { version: present = 'none' } = manifestIn(home);
      if (!versions.includes(present))
        throw fail.packageOfAnotherVersion({ name, version: versions.join(', '), present, path: home });
    }
    found.set(name, home);
  }
  return found;
}

/**
 * Lets modules of `folder` import these packages from where they stand now and from nowhere else, until the function
 * that is yielded is called; what is not installed now stays missing. No module below a `node_modules` is loaded that
 * was written, or put there, from now on: steps write files, and none of them becomes code of the program.
 */
export function pinPackages(wanted: Wanted, folder: string): () => void {
  const since = Date.now() - CLOCK_LAG_MS;
  const stands = realpathSync(folder) + sep;
  const homes = new Map([...findPackages(wanted, folder)].map(([name, path]) => [name, { path, mark: markOf(path) }]));
  const hooks = process.getBuiltinModule('node:module').registerHooks({
    resolve(specifier, context, next) {
      const name = packageOf(specifier);
      if (!Object.hasOwn(wanted, name) || !isOwnModule(context.parentURL, stands)) return next(specifier, context);
      const home = homes.get(name);
      if (home === undefined)
        throw Object.assign(new Error(`${name} was not installed when the run began`), {
          code: 'ERR_MODULE_NOT_FOUND',
        });
      const resolved = next(specifier, context);
      if (!isBelow(resolved.url, home.path + sep) || markOf(home.path) !== home.mark)
        throw fail.packageMoved({ name, path: home.path });
      return resolved;
    },
    load(url, context, next) {
      refuseNew(url, since);
      return next(url, context);
    },
  });
  return () => hooks.deregister();
}

/** The time of a file's or folder's last change cannot be set by a program, as that of its content can. */
function refuseNew(url: string, since: number): void {
  if (!url.startsWith('file:') || !url.includes('/node_modules/')) return;
  const path = fileURLToPath(url);
  for (let at = path; basename(at) !== 'node_modules'; at = dirname(at)) {
    const stats = statSync(at, { throwIfNoEntry: false });
    if (stats && stats.ctimeMs > since) throw fail.packageWritten({ path });
  }
}

/** The part of programs that have packages. */
export interface PinnedPackages {
  readonly findPackages: typeof findPackages;
  readonly pinPackages: typeof pinPackages;
}
export const pinnedPackages: PinnedPackages = { findPackages, pinPackages };

/** Tells a folder from another one that was put in its place. */
function markOf(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${dev}:${ino}`;
}

/**
 * Finds folders of packages as Node finds them: the one that `folder` belongs to by its own name, else the nearest
 * installed one.
 */
function finder(folder: string): (name: string) => string | undefined {
  const all = ancestors(folder);
  const around = all.find((at) => existsSync(join(at, 'package.json')));
  const own = around === undefined ? undefined : manifestIn(around).name;
  return (name) => {
    if (around !== undefined && own === name) return realpathSync(around);
    const home = all.map((at) => join(at, 'node_modules', name)).find((at) => existsSync(at));
    return home === undefined ? undefined : realpathSync(home);
  };
}

/** The folder itself and all above it. */
function ancestors(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

function manifestIn(home: string): { readonly name?: string; readonly version?: string } {
  try {
    return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
      readonly name?: string;
      readonly version?: string;
    };
  } catch {
    return {};
  }
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Packages that import each other have their own. */
function isOwnModule(url: string | undefined, folder: string): boolean {
  return (
    url !== undefined &&
    isBelow(url, folder) &&
    !url.slice(pathToFileURL(folder).href.length).includes('/node_modules/')
  );
}

function isBelow(url: string, folder: string): boolean {
  return url.startsWith('file:') && fileURLToPath(url).startsWith(folder);
}
