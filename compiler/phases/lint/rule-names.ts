import { late } from '#grammar/language/late.ts';
import { codes } from '#schemas/generated/codes.ts';

/**
 * Names of everything that a suppression may name: lint rules, and warnings, infos and hints of other phases. Most
 * files suppress nothing.
 */
export const suppressible = late(
  (): ReadonlySet<string> =>
    new Set(codes.filter(([, , severity]) => severity !== 'error' && severity !== 'failure').map(([, slug]) => slug)),
);

const byCode = late(() => new Map(codes.map(([code, slug]) => [code, slug])));

/** The name of what is written by name or by code; what is neither stays as it is. */
export function ruleNamed(written: string): string {
  return byCode().get(written.toUpperCase()) ?? written;
}
