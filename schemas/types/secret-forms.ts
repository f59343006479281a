import type { Span } from './place.ts';

/** A secret that is known by its form, whatever its name is: the scanner's rules, in the order in which they are tried. */
export const secretForms: readonly { readonly rule: string; readonly pattern: string }[] = [
  { rule: 'cloud_access_key', pattern: String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b` },
  {
    rule: 'codehost_token',
    pattern: String.raw`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,}|glpat-[\w-]{20,})`,
  },
  { rule: 'chat_token', pattern: String.raw`\bxox[abeprs]-[A-Za-z0-9-]{10,}` },
  { rule: 'chat_webhook', pattern: String.raw`https://hooks\.[a-z0-9.-]+/services/[A-Za-z0-9/]+` },
  { rule: 'jwt', pattern: String.raw`\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}` },
  { rule: 'webapi_key', pattern: String.raw`\bAIza[0-9A-Za-z_-]{35}` },
  { rule: 'payment_key', pattern: String.raw`\b[sr]k_live_[0-9A-Za-z]{16,}` },
  { rule: 'registry_token', pattern: String.raw`\bnpm_[A-Za-z0-9]{36}` },
  {
    rule: 'private_key',
    pattern: String.raw`-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[\s\S]*?(?:-----END (?:[A-Z]+ )?PRIVATE KEY-----|$)`,
  },
];

/** The shortest text that any of the forms fits. */
const SHORTEST = 15;
const any = new RegExp(secretForms.map((form) => form.pattern).join('|'), 'g');
const urlPassword = /\b([a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:)[^\s/?#@]+@/gi;

/** Where secrets that are known by their form stand in a text. */
export function formSpans(text: string): readonly Span[] {
  return text.length < SHORTEST
    ? []
    : Array.from(text.matchAll(any), (found) => ({ start: found.index, end: found.index + found[0].length }));
}

/** Replaces what is a secret by its form, and passwords inside URLs, by `***`. */
export function maskForms(text: string): string {
  const hidden = text.length < SHORTEST ? text : text.replace(any, '***');
  return hidden.includes('://') && hidden.includes('@') ? hidden.replace(urlPassword, '$1***@') : hidden;
}
