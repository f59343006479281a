import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';

import { headerFindings, type HeaderFinding } from './header-rules.ts';

const command = commandRaising('SecurityHeadersError');

export const WR_audit_security_headers = command('WR_audit_security_headers', ({ headers, required }) =>
  headerFindings(headers, required),
);

export const WR_audit_security_headers_url = command(
  'WR_audit_security_headers_url',
  async ({ url, timeout, required }, ctx) => {
    const answer = await ctx.http.send({
      method: 'GET',
      url: addressOf(url),
      headers: {},
      timeout_ms: timeout * 1000,
      signal: ctx.signal,
      follow: true,
    });
    const { status, headers, request } = answer;
    if (status >= 400) throw fail.errorPageAudited({ url: request.url, status });
    return [...schemeFindings(request.url), ...headerFindings(headers, required)];
  },
);

function addressOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') throw fail.addressUnfitForAudit({ url: text });
  return url;
}

/** Strict transport security holds only where people arrive over https. */
function schemeFindings(url: string): HeaderFinding[] {
  const isPlain = new URL(url).protocol === 'http:';
  return isPlain ? [{ header: '', rule: 'https', problem: 'plain http does not lead to https', value: null }] : [];
}
