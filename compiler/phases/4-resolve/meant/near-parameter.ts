import { didYouMean } from '#compiler/did-you-mean.ts';

import type { Signature } from '../signature.ts';

/** The parameter that a name was likely meant for, where one is clearly nearest. */
export function nearParameter(name: string, { parameters }: Signature): string | undefined {
  return nearName(name, [...parameters.keys()]);
}

/** The name that another was likely meant for: one that is spelt alike, or the only one that holds it as a word. */
export function nearName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = didYouMean(name, names);
  if (nearest !== undefined) return nearest;
  // `url` where it is called `test_url`.
  const [only, other] = names.filter((each) => each.split('_').includes(name.toLowerCase()));
  return other === undefined ? only : undefined;
}
