import { byName } from './finding.ts';
import type { Finding } from './finding.ts';

/** Half a year, in seconds: browsers forget a shorter promise between two visits. */
const SHORTEST_HSTS = 15_552_000;

type Judge = (value: string | undefined, headers: ReadonlyMap<string, string>) => readonly Omit<Finding, 'header'>[];

const missing = (severity: Finding['severity'], message: string): Omit<Finding, 'header'> => ({ severity, message });

const judges: readonly (readonly [header: string, judge: Judge])[] = [
  ['Strict-Transport-Security', judgeHsts],
  ['Content-Security-Policy', judgePolicy],
  [
    'X-Content-Type-Options',
    (value) => {
      if (value === undefined)
        return [missing('medium', 'is missing: browsers may guess another type of content; send "nosniff"')];
      return value.trim().toLowerCase() === 'nosniff' ? [] : [missing('medium', `is "${value}" instead of "nosniff"`)];
    },
  ],
  [
    'X-Frame-Options',
    (value, headers) => {
      // The newer way to say the same wins in browsers that know it.
      if (/(?:^|;)\s*frame-ancestors\s/i.test(headers.get('content-security-policy') ?? '')) return [];
      if (value === undefined)
        return [missing('medium', 'is missing: other pages may show this one in a frame; send "DENY" or "SAMEORIGIN"')];
      return /^(?:deny|sameorigin)$/i.test(value.trim())
        ? []
        : [missing('medium', `is "${value}" instead of "DENY" or "SAMEORIGIN"`)];
    },
  ],
  [
    'Referrer-Policy',
    (value) => {
      if (value === undefined)
        return [
          missing('low', 'is missing: addresses may be told to other sites; send "strict-origin-when-cross-origin"'),
        ];
      return /(?:^|,)\s*unsafe-url\s*$/i.test(value)
        ? [
            missing(
              'low',
              'is "unsafe-url": whole addresses are told to every site; send "strict-origin-when-cross-origin"',
            ),
          ]
        : [];
    },
  ],
  [
    'Permissions-Policy',
    (value) =>
      value === undefined
        ? [
            missing(
              'low',
              'is missing: pages may ask for every device; send "camera=(), microphone=(), geolocation=()"',
            ),
          ]
        : [],
  ],
  ['Server', (value) => (/\d/.test(value ?? '') ? [missing('low', `tells a version: "${value}"; leave it out`)] : [])],
];

/**
 * Findings about headers of an answer that are missing or weak, in a fixed order. Over http nobody can promise
 * https.
 */
export function scanHeaders(headers: Readonly<Record<string, string>>, isHttps: boolean): Finding[] {
  const named = byName(headers);
  return judges
    .filter(([header]) => isHttps || header !== 'Strict-Transport-Security')
    .flatMap(([header, judge]) => judge(named.get(header.toLowerCase()), named).map((found) => ({ header, ...found })));
}

function judgeHsts(value: string | undefined): readonly Omit<Finding, 'header'>[] {
  if (value === undefined)
    return [missing('high', 'is missing: the first request may go over http; send "max-age=31536000"')];
  const age = /(?:^|;)\s*max-age\s*=\s*"?(\d+)"?/i.exec(value)?.[1];
  if (age === undefined || Number(age) === 0)
    return [missing('high', `promises nothing: "${value}"; send "max-age=31536000"`)];
  if (Number(age) < SHORTEST_HSTS)
    return [missing('medium', `promises ${age} seconds only; ${SHORTEST_HSTS} are half a year`)];
  return [];
}

function judgePolicy(value: string | undefined): readonly Omit<Finding, 'header'>[] {
  if (value === undefined)
    return [
      missing('high', `is missing: scripts of others run if they get into a page; begin with "default-src 'self'"`),
    ];
  const directives = new Map(
    value.split(';').map((text) => {
      const [name = '', ...sources] = text.trim().split(/\s+/);
      return [name.toLowerCase(), sources.map((source) => source.toLowerCase())] as const;
    }),
  );
  const scripts = directives.get('script-src') ?? directives.get('default-src');
  if (!scripts) return [missing('medium', 'says nothing about scripts; add default-src or script-src')];
  // A nonce, a hash or "strict-dynamic" makes browsers pass over "unsafe-inline".
  const isBound = scripts.some((source) => /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic')/.test(source));
  const found: Omit<Finding, 'header'>[] = [];
  if (scripts.includes("'unsafe-inline'") && !isBound)
    found.push(missing('medium', 'allows scripts inside of the page ("unsafe-inline"); give each a nonce or a hash'));
  if (scripts.includes("'unsafe-eval'"))
    found.push(missing('low', 'allows scripts made of text ("unsafe-eval"); leave that out'));
  if (
    scripts.some((source) => ['*', 'http:', 'https:', 'data:'].includes(source)) &&
    !scripts.includes("'strict-dynamic'")
  )
    found.push(missing('medium', 'allows scripts from anywhere; name their hosts'));
  return found;
}
