import { globMatcher } from '#stdlib/files/glob.ts';
import { byPlace } from './by-place.ts';

import { belowPlace, placeOf, type StoredTools } from '#stdlib/files/backends/stored-files.ts';

export interface FindElsewhere {
  readonly pattern: string;
  readonly limit: number;
  readonly filesOnly: boolean;
}

/** Addresses below an address whose last name fits a pattern, in whatever letters. */
export async function findElsewhere(
  tools: StoredTools,
  address: string,
  { pattern, limit, filesOnly }: FindElsewhere,
): Promise<string[]> {
  const fits = globMatcher(pattern.toLowerCase());
  const place = await placeOf(tools, address);
  return (await belowPlace(tools, place))
    .filter(([, { name, kind }]) => (kind !== 'folder' || !filesOnly) && fits(name.toLowerCase()))
    .toSorted(([one], [other]) => byPlace(one, other))
    .slice(0, limit)
    .map(([, { path }]) => place.prefix + path);
}
