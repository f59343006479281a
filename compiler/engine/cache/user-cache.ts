import type { Stats } from 'node:fs';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder of this user's caches, made where it is missing; undefined where anybody else could write into it: what
 * stands there is run. On Windows the rights of the user's own folder are all there is. Loads nothing before it is
 * called.
 */
export function userCache(env: Environment): string | undefined {
  const home = homeOf(env);
  return home === undefined ? undefined : privateFolder(path().join(home, 'svc', 'cache'));
}

/** A folder of this user alone, made with its parents where it is missing. Undefined: it is not, or not to be had. */
export function privateFolder(folder: string): string | undefined {
  try {
    const { mkdirSync, lstatSync, realpathSync } = fs();
    const existing = nearest(folder);
    // Before anything is made: a root that borrowed a user's environment leaves nothing in that home.
    if (!isGuarded(realpathSync(existing))) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    return stats.isDirectory() && isOwn(stats) && isGuarded(realpathSync(folder)) ? folder : undefined;
  } catch {
    // A cache that cannot be made is none.
    return undefined;
  }
}

/** Owned by this user, and closed to all others. */
export function isOwn({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & 0o077) === 0);
}

function homeOf(env: Environment): string | undefined {
  const { isAbsolute, join } = path();
  const given = [env['XDG_CACHE_HOME'], env['LOCALAPPDATA']].find(
    (folder) => folder !== undefined && isAbsolute(folder),
  );
  if (given !== undefined) return given;
  const own = env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  return own !== undefined && isAbsolute(own) ? join(own, '.cache') : undefined;
}

function nearest(folder: string): string {
  let at = folder;
  while (!fs().existsSync(at) && path().dirname(at) !== at) at = path().dirname(at);
  return at;
}

/** No folder on the way is another user's, or open to others; a sticky one lets nobody replace what is not theirs. */
function isGuarded(folder: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  for (let at = folder; ; at = path().dirname(at)) {
    const { uid, mode } = fs().lstatSync(at);
    const isOpen = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
    if ((uid !== user && uid !== 0) || isOpen) return false;
    if (path().dirname(at) === at) return true;
  }
}

function fs(): typeof import('node:fs') {
  return process.getBuiltinModule('node:fs');
}

function path(): typeof import('node:path') {
  return process.getBuiltinModule('node:path');
}
