import type { Host } from '#schemas/types/host.ts';

import { checkUrl } from './check-target.ts';

/**
 * The address as it was given, when it may be asked: http or https, without login, and every address that its name
 * leads to is public. Fails with UrlValidationException. `allow_private`: private networks and this machine are let in,
 * link-local, multicast and reserved addresses are not.
 *
 * Whoever connects afterwards looks the name up again and may get another answer: to be safe against that, connect to
 * the addresses that were checked, as `FA_download_file` and the notification sinks do.
 */
export async function validate_http_url(
  host: Pick<Host, 'lookup'>,
  url: string,
  { allow_private = false }: { readonly allow_private?: boolean } = {},
): Promise<string> {
  await checkUrl(url, { lookup: (name) => host.lookup(name), allowPrivate: allow_private });
  return url;
}
