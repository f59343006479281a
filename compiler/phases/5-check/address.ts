import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route } from '#schemas/types/place.ts';

const WEB = ['http', 'https'];

/** Whether a text can be gone to; `hasBase`: a relative address is completed by `meta.base_url`. */
export function isAddress(text: string, hasBase: boolean): boolean {
  if (/^https?:(?!\/\/)/.test(text)) return false;
  if (text.startsWith('http://') || text.startsWith('https://')) return URL.canParse(text);
  if (URL.canParse(text)) return !isHostWithPort(text) && schemeMeant(text) === undefined;
  return hasBase && URL.canParse(text, 'http://base.invalid/');
}

/** `localhost:8080`, `shop.test:443/cart`: what reads like a scheme is a host. */
function isHostWithPort(text: string): boolean {
  return /^[a-z\d-]+(?:\.[a-z\d-]+)*:\d{2,5}(?:[/?#]|$)/i.test(text);
}

/** `http` for `htp://`. */
function schemeMeant(text: string): string | undefined {
  const [, scheme = ''] = /^([a-z]{2,7}):/i.exec(text) ?? [];
  if (scheme === '' || WEB.includes(scheme.toLowerCase())) return undefined;
  const near = didYouMean(scheme, WEB, 1);
  return near.find((each) => each.endsWith('s') === scheme.toLowerCase().endsWith('s')) ?? near[0];
}

interface Said {
  readonly at: Label;
  readonly route: Route;
  readonly command: string;
  readonly parameter: string;
}

export function addressDiagnostic(text: string, { at, route, command, parameter }: Said): Diagnostic {
  const meant = /[{}]/.test(text) ? undefined : addressMeant(text);
  const fixes: readonly Fix[] =
    meant === undefined
      ? []
      : [{ title: `write ${meant}`, safety: 'unsafe', operations: [{ kind: 'replace', route, value: meant }] }];
  return d.addressUnreadable({ at, command, parameter, actual: JSON.stringify(text), meant, fixes });
}

/** The address that a text without a scheme, or with a mistyped one, was likely meant to be. */
function addressMeant(text: string): string | undefined {
  const scheme = schemeMeant(text);
  if (scheme !== undefined) return `${scheme}${text.slice(text.indexOf(':'))}`;
  const [, bare, rest] = /^(https?)(?::\/?|\/\/)([^/].*)$/i.exec(text) ?? [];
  if (bare !== undefined && rest !== undefined) return `${bare}://${rest}`;
  const [host] = /^[^/?#\s]+/.exec(text) ?? [];
  if (host === undefined || !/^(?:localhost|[a-z\d-]+(?:\.[a-z\d-]+)+)(?::\d+)?$/i.test(host)) return undefined;
  const isNear = /^(?:localhost|127\.|10\.|192\.168\.)/.test(host);
  return `${isNear ? 'http' : 'https'}://${text}`;
}
