import type { CommandMap } from '#schemas/generated/command-map.ts';

export type HeaderFinding = CommandMap['WR_audit_security_headers']['result'][number];
export type HeaderRule = NonNullable<CommandMap['WR_audit_security_headers']['params']['required']>[number];

/** Half a year (seconds): what stands below is forgotten before people come back. */
const LEAST_MAX_AGE = 15_768_000;

const defaultRules: readonly HeaderRule[] = [
  { name: 'Strict-Transport-Security', rule: 'presence_and_max_age' },
  { name: 'Content-Security-Policy', rule: 'presence' },
  { name: 'X-Frame-Options', rule: 'deny_or_sameorigin' },
  { name: 'X-Content-Type-Options', rule: 'nosniff' },
  { name: 'Referrer-Policy', rule: 'presence' },
  { name: 'Permissions-Policy', rule: 'presence' },
];

/** Findings about the headers of an answer, one for each rule that does not hold. Names match in any letter case. */
export function headerFindings(
  headers: Readonly<Record<string, string>>,
  rules: readonly HeaderRule[] | null,
): HeaderFinding[] {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (rules ?? defaultRules).flatMap(({ name, rule }) => {
    const value = byName.get(name.toLowerCase());
    const problem = value === undefined ? missing(name, byName) : problemOf(value, rule);
    return problem === undefined ? [] : [{ header: name, rule, problem, value: value ?? null }];
  });
}

/** A policy with `frame-ancestors` does what the older header does, and more, unless it lets every site in. */
function missing(name: string, byName: ReadonlyMap<string, string>): string | undefined {
  const policies = byName.get('content-security-policy') ?? '';
  const isReplaced = name.toLowerCase() === 'x-frame-options' && policies.split(',').some(keepsFramesOut);
  return isReplaced ? undefined : 'missing';
}

/** Whether a policy names the sites that may show the page in a frame; without any it is none. */
function keepsFramesOut(policy: string): boolean {
  const directives = policy.split(';').map((directive) => directive.trim().toLowerCase().split(/\s+/));
  // Only the first directive of a name counts.
  const ancestors = directives.find(([name]) => name === 'frame-ancestors');
  return ancestors !== undefined && !ancestors.some((source) => everySite.has(source));
}

const everySite: ReadonlySet<string> = new Set(['*', 'http:', 'https:']);

function problemOf(value: string, rule: HeaderRule['rule']): string | undefined {
  const plain = value.trim().toLowerCase();
  switch (rule) {
    case 'presence':
      return plain === '' ? 'empty' : undefined;
    case 'presence_and_max_age':
      return maxAgeProblem(plain);
    case 'deny_or_sameorigin':
      return plain === 'deny' || plain === 'sameorigin' ? undefined : 'unexpected value';
    case 'nosniff':
      return plain === 'nosniff' ? undefined : 'unexpected value';
  }
}

function maxAgeProblem(value: string): string | undefined {
  const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d+)"?\s*(?:;|$)/.exec(value)?.[1];
  if (seconds === undefined) return 'no max-age directive';
  return Number(seconds) < LEAST_MAX_AGE ? `max-age is below ${LEAST_MAX_AGE} seconds` : undefined;
}
