import type { Host } from '#schemas/types/host.ts';

import { checkUrl } from './check-target.ts';

/**
 * The address as it was given, when it may be asked: http or https, without login, and every address that its name
 * leads to is public. Fails with UrlValidationException. `allow_private`: private networks and this machine are let in,
 * link-local, multicast and reserved addresses are not.
 *
 * Whoever connects afterwards looks the name up again and may get another answer: to be safe against that, connect to
 * the addresses that were checked (`resolve_http_url`), as `FA_download_file` and the notification sinks do.
 */
export async function validate_http_url(
  host: Pick<Host, 'lookup'>,
  url: string,
  options: ValidateRules = {},
): Promise<string> {
  return (await resolve_http_url(host, url, options)).url;
}

/** The same, with the addresses of the host that were checked: at least one, for a connection to one of them. */
export async function resolve_http_url(
  host: Pick<Host, 'lookup'>,
  url: string,
  { allow_private = false }: ValidateRules = {},
): Promise<{ readonly url: string; readonly addresses: readonly string[] }> {
  const { addresses } = await checkUrl(url, { lookup: (name) => host.lookup(name), allowPrivate: allow_private });
  return { url, addresses };
}

interface ValidateRules {
  readonly allow_private?: boolean;
}
