import { didYouMean } from '#compiler/did-you-mean.ts';

/** The `help` of a failure: the nearest names, where there are near ones. */
export function nearest(given: string, names: readonly string[]): { help?: string } {
  const near = didYouMean(given, names);
  return near.length > 0 ? { help: `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?` } : {};
}
