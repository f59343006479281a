import type { Span } from './place.ts';
import { isSecretQuery } from './secret-key.ts';

const blank = '(?: |\\+|%20)';
const pem = (edge: string): string =>
  `-----${edge}${blank}(?:[A-Z]+${blank})?PRIVATE${blank}KEY(?:${blank}BLOCK)?-----`;
const privateKey = new RegExp(`${pem('BEGIN')}[^]*?(?:${pem('END')}|$)`);

/**
 * Secrets that are known by their form, whatever their names are: what code hosts, clouds, chats and shops give out,
 * private keys. By rule.
 */
export const secretForms = {
  aws_access_key: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  github_token: /\b(?:gh[pusr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/,
  github_oauth: /\bgho_[A-Za-z0-9]{36,}/,
  gitlab_token: /\bglpat-[\w-]{20,}/,
  slack_token: /\bxox[abeprs]-[A-Za-z0-9-]{10,}/,
  slack_webhook: /https:\/\/hooks\.[a-z0-9.-]+\/services\/[A-Za-z0-9/]+/,
  google_api_key: /\bAIza[0-9A-Za-z_-]{35}/,
  stripe_key: /\b[sr]k_live_[0-9A-Za-z]{16,}/,
  npm_token: /\bnpm_[A-Za-z0-9]{36}/,
  private_key: privateKey,
} as const;

/** The shortest text that any of the forms fits. */
const SHORTEST = 15;
const any = new RegExp(
  Object.values(secretForms)
    .map(({ source }) => source)
    .join('|'),
);
const all = new RegExp(any, 'g');

/** Spans of the secrets in a text that are known by their form, each kind in order. */
export function formSpans(text: string): readonly Span[] {
  if (text.length < SHORTEST) return [];
  const found = any.test(text)
    ? Array.from(text.matchAll(all), (match) => ({ start: match.index, end: match.index + match[0].length }))
    : [];
  return text.includes('eyJ') ? [...found, ...signedTokens(text)] : found;
}

/**
 * Spans of signed tokens (JWT) in a text: three parts with points between them, the first of which is the
 * base64 of `{"`.
 */
export function signedTokens(text: string): readonly Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(/(?<![\w-])[\w-]+(?:\.[\w-]+){2,}/g)) {
    let from = match.index;
    const parts = match[0].split('.');
    for (const [index, part] of parts.entries()) {
      const length = (parts[index + 1] ?? '').length;
      const last = (parts[index + 2] ?? '').length;
      const start = length < 10 || last < 10 ? -1 : headerStart(part);
      if (start >= 0) found.push({ start: from + start, end: from + part.length + length + last + 2 });
      from += part.length + 1;
    }
  }
  return found;
}

/** Offset of the header of a signed token in the text before its first point; -1: there is none. */
function headerStart(part: string): number {
  const found = /(?:^|-)eyJ(?=[\w-]{10})/.exec(part);
  return found ? found.index + found[0].length - 3 : -1;
}

/**
 * Whether a text is references and nothing else, as they are written: they stand for secrets, and are none. A default
 * may be one.
 */
export function isPlaceholder(text: string): boolean {
  return /^(?:\$\{[^{}]*\}|\{\{[^{}]*\}\})+$/.test(text) && !text.includes(':-');
}

/** Spans of the passwords inside URLs. */
export function urlPasswordSpans(text: string): readonly Span[] {
  if (!text.includes('@')) return [];
  const found: Span[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = at + 3;
    if (!/[a-z0-9+.-]/i.test(text[at - 1] ?? '')) continue;
    const authority = text.slice(start, endOfAuthority(text, start));
    const colon = authority.indexOf(':');
    const end = colon < 0 ? -1 : endOfPassword(authority, colon);
    if (end > colon + 1 && !isPlaceholder(authority.slice(colon + 1, end)))
      found.push({ start: start + colon + 1, end: start + end });
  }
  return found;
}

function endOfAuthority(text: string, start: number): number {
  const ends = /[\s/?#]/g;
  ends.lastIndex = start;
  return ends.exec(text)?.index ?? text.length;
}

/** Behind the user and its colon, up to the last `@`; what follows a quotation mark is mostly no longer the address. */
function endOfPassword(authority: string, colon: number): number {
  const quote = authority.search(/["<>]/);
  if (quote >= 0 && quote < colon) return -1;
  const last = authority.slice(0, quote < 0 ? undefined : quote).lastIndexOf('@');
  return last > colon ? last : authority.indexOf('@', colon + 1);
}

/** A name in the query or the fragment of an address, also of one in a query, in JSON or in a page. */
const QUERY_NAME = /(?<=[?&#]|&amp;|\\u0026|%(?:25)?(?:3F|26|23))([\w.-]{1,64})(?:=|%(?:25)?3D)/gi;
/** End of its value. */
const QUERY_END = /[&#\s"'<>`\\]|$/g;

/** Spans of the values in queries of addresses whose names tell that they let somebody in. */
export function querySecretSpans(text: string): readonly Span[] {
  const found: Span[] = [];
  for (const { index, 0: whole, 1: name = '' } of text.matchAll(QUERY_NAME)) {
    const start = index + whole.length;
    if (start < (found.at(-1)?.end ?? 0) || !isSecretQuery(name)) continue;
    QUERY_END.lastIndex = start;
    const end = QUERY_END.exec(text)?.index ?? text.length;
    if (end > start && !isPlaceholder(text.slice(start, end))) found.push({ start, end });
  }
  return found;
}
