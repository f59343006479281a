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
    const problem = value === undefined ? missing(name, rule, byName) : problemOf(value, rule);
    return problem === undefined ? [] : [{ header: name, rule, problem, value: value ?? null }];
  });
}

/** A policy with `frame-ancestors` does what the older header does, and more, unless it lets every site in. */
function missing(name: string, rule: HeaderRule['rule'], byName: ReadonlyMap<string, string>): string | undefined {
  if (rule === 'absent' || rule === 'no_star') return undefined;
  const policies = byName.get('content-security-policy') ?? '';
  const isReplaced = name.toLowerCase() === 'x-frame-options' && policies.split(',').some(keepsFramesOut);
  return isReplaced ? undefined : 'missing';
}

/** Whether a policy names the sites that may show the page in a frame; without any it is none. */
function keepsFramesOut(policy: string): boolean {
  const ancestors = directivesOf(policy).get('frame-ancestors');
  return ancestors !== undefined && !ancestors.some((source) => everySite.has(source));
}

function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = policy.split(';').map((directive) => directive.trim().toLowerCase().split(/\s+/));
  // Only the first directive of a name counts.
  return new Map(directives.toReversed().map(([name = '', ...sources]) => [name, sources]));
}

/** Judges content security policies by their scripts. Of several each must let a script in, so one is enough. */
function policyProblem(value: string): string | undefined {
  const problems = value.split(',').map((policy) => openFor(directivesOf(policy)));
  return problems.includes(undefined) ? undefined : problems[0];
}

function openFor(directives: ReadonlyMap<string, readonly string[]>): string | undefined {
  const scripts = directives.get('script-src') ?? directives.get('default-src');
  if (!scripts) return 'lets scripts of every site in';
  const isByNonce = scripts.some((source) => /^'(?:nonce|sha256|sha384|sha512)-/.test(source));
  const isStrict = isByNonce && scripts.includes("'strict-dynamic'");
  // Browsers that know nonces and hashes pass over what stands beside them for older ones.
  if (!isByNonce && scripts.includes("'unsafe-inline'")) return 'lets scripts in the page run';
  if (!isStrict && scripts.some((source) => everySite.has(source) || source === 'data:'))
    return 'lets scripts of every site in';
  const objects = directives.get('object-src') ?? directives.get('default-src');
  if (!objects || objects.some((source) => everySite.has(source))) return 'lets objects of every site in';
  return directives.has('base-uri') ? undefined : 'has no base-uri';
}

/** Policies under which other sites are told no paths. */
const keepsPaths: ReadonlySet<string> = new Set([
  'no-referrer',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
]);

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
    case 'policy':
      return policyProblem(plain);
    case 'referrer_policy':
      return keepsPaths.has(
        plain
          .split(',')
          .findLast((name) => name.trim() !== '')
          ?.trim() ?? '',
      )
        ? undefined
        : 'unexpected value';
    case 'absent':
      return 'present';
    case 'no_star':
      return plain === '*' ? 'lets every site in' : undefined;
  }
}

function maxAgeProblem(value: string): string | undefined {
  const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d+)"?\s*(?:;|$)/.exec(value)?.[1];
  if (seconds === undefined) return 'no max-age directive';
  return Number(seconds) < LEAST_MAX_AGE ? `max-age is below ${LEAST_MAX_AGE} seconds` : undefined;
}
