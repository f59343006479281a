import * as fail from '#schemas/generated/failures.ts';

import { requireInside } from '../remote-path.ts';

/** The names of a path from the top. Slashes that are doubled, or at the ends, mean nothing. */
export function namesOf(path: string): readonly string[] {
  const names = requireInside(path).split('/').filter(Boolean);
  if (names.includes('.')) throw fail.storagePath({ path, reason: '"." is the folder itself' });
  return names;
}

/** The same, where a file is meant and the service refuses or changes some names. */
export function requireNames(path: string, refused: RegExp, what: string): readonly string[] {
  const names = namesOf(path);
  if (names.length === 0) throw fail.storagePath({ path, reason: 'it names the top and no file in it' });
  for (const name of names)
    if (refused.test(name)) throw fail.storagePath({ path, reason: `the service has no names with ${what}` });
  return names;
}

/** A path below a folder, as it was asked for. */
export function below(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
