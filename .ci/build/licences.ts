/** Licences whose code may stand in what users get (Zlib and PSF-2.0 are permissive too: pako, argparse). */
const free: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'MIT-0',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
  'PSF-2.0',
]);
/** Licences that a package may have which is used to build and test, or which users install themselves, unmodified. */
const forBuilding: ReadonlySet<string> = new Set([
  'MPL-2.0',
  'LGPL-2.1-or-later',
  'LGPL-3.0-or-later',
  'Python-2.0',
  'CC-BY-4.0',
  // Given to everybody, to change and to license anew, by its own words.
  'LicenseRef-Public-Domain',
]);

/**
 * Licences that hold for each file by itself: such a file may go with ours unmodified, as a file of its own, with its
 * licence and a word about where its source is.
 */
const byFile: ReadonlySet<string> = new Set(['MPL-2.0']);

/** Use of a package: in bundles that users get, as files of its own beside them, or not given to users. */
export type Use = 'shipped' | 'as-files' | 'beside';

/**
 * Whether a licence may be used so. `A OR B` needs one that may, `A AND B` all; whatever is no list of known names may
 * not.
 */
export function isAllowed(licence: string | undefined, use: Use): boolean {
  if (licence === undefined) return false;
  const more: Readonly<Record<Use, ReadonlySet<string>>> = {
    shipped: new Set(),
    'as-files': byFile,
    beside: forBuilding,
  };
  const may = (name: string): boolean => free.has(name.trim()) || more[use].has(name.trim());
  const words = licence.replace(/^\((.*)\)$/, '$1');
  return words.split(' OR ').some((option) => option.split(' AND ').every(may));
}
