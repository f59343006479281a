import type { Base } from '#runtime/kernel/ports.ts';

/** Shorter values are words, as a rule, and would be hidden wherever they stand. */
const shortestSecret = 8;

/** Hides a cookie that opens doors: scripts may not read it, or its name speaks of a session or a secret. */
export function maskCookie(
  { name, value, httpOnly }: { readonly name: string; readonly value: string; readonly httpOnly?: boolean | undefined },
  ctx: Pick<Base, 'mask'>,
): void {
  if (value.length >= shortestSecret && (httpOnly === true || /sess|sid|auth|token|csrf|secret|key/i.test(name)))
    ctx.mask(value);
}
