import type { Base } from '#runtime/kernel/ports.ts';

/** The masker does not look for shorter texts. */
const SHORTEST = 4;
/** Length from which beginnings stay: hiding them would cost more than they tell. */
const LONGEST = 128;

/**
 * Hides a text that is typed key by key, and from its half on what it begins with: a page may tell its console of each
 * key.
 */
export function hideTyped(ctx: Pick<Base, 'mask'>, text: string): void {
  const least = text.length > LONGEST ? text.length : Math.max(SHORTEST, Math.ceil(text.length / 2));
  for (let length = text.length; length >= least; length -= 1) ctx.mask(text.slice(0, length));
}
