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

/** Use of a package: in what users get, or beside it. */
export type Use = 'shipped' | 'beside';

/**
 * Whether a licence may be used so. `A OR B` needs one that may, `A AND B` all; whatever is no list of known names may
 * not.
 */
export function isAllowed(licence: string | undefined, use: Use): boolean {
  if (licence === undefined) return false;
  const may = (name: string): boolean => free.has(name.trim()) || (use === 'beside' && forBuilding.has(name.trim()));
  const words = licence.replace(/^\((.*)\)$/, '$1');
  return words.split(' OR ').some((option) => option.split(' AND ').every(may));
}
