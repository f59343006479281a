import { byName } from './finding.ts';
import type { Finding } from './finding.ts';

/** Verbs that browsers send without asking. */
const simple = new Set(['GET', 'HEAD', 'POST']);

export interface Preflight {
  readonly origin: string;
  /** Method in capitals. */
  readonly method: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Findings about the answer to a preflight request. */
export function judgePreflight({ origin, method, status, headers }: Preflight): Finding[] {
  const named = byName(headers);
  const allowed = named.get('access-control-allow-origin')?.trim();
  const hasCredentials = named.get('access-control-allow-credentials')?.trim().toLowerCase() === 'true';
  const found: Finding[] = [];
  const add = (header: string, severity: Finding['severity'], message: string): void =>
    void found.push({ header, severity, message });
  if (status < 200 || status > 299)
    add(
      '(status)',
      'high',
      `is ${status}: browsers take an answer from 200 to 299 only; answer OPTIONS without a login and without a redirect`,
    );
  if (allowed === undefined || allowed === '')
    add(
      'Access-Control-Allow-Origin',
      'high',
      `is missing: pages of ${origin} may not read answers; send "${origin}" where they may`,
    );
  else if (allowed === '*' && hasCredentials)
    add(
      'Access-Control-Allow-Origin',
      'high',
      'is "*" together with credentials, which browsers refuse; name the origin',
    );
  else if (allowed !== '*' && allowed !== origin)
    add(
      'Access-Control-Allow-Origin',
      'high',
      `is "${allowed}", not ${origin}: browsers refuse its pages; send "${origin}" where they may read answers`,
    );
  const written = named.get('access-control-allow-methods');
  const methods = (written ?? '').split(',').map((name) => name.trim().toUpperCase());
  const isAllowed = methods.includes(method) || (methods.includes('*') && !hasCredentials) || simple.has(method);
  if (!isAllowed)
    add('Access-Control-Allow-Methods', 'medium', `${unnamed(written)} ${method}; name it where pages may send it`);
  return found;
}

function unnamed(methods: string | undefined): string {
  if (methods === undefined) return 'is missing, and allows no';
  return methods.includes('*') ? 'is "*", which with credentials does not name' : `is "${methods}", without`;
}
