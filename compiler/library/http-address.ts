import { nodeHost } from '#runtime/hosts/node.ts';

/** Options that say which addresses are allowed. */
export interface ValidateHttpUrlOptions {
  /** Lets private networks and this machine in; link-local, multicast and reserved addresses stay refused. */
  readonly allow_private?: boolean;
}

/**
 * The address as it was given, when it may be asked: http or https, without user and password, and every address that
 * its name leads to is public. Rejects with `UrlValidationException`. Whoever connects afterwards looks the name up
 * again and may get another answer; `FA_download_file` and the notification sinks connect to what was checked.
 */
export async function validate_http_url(url: string, options: ValidateHttpUrlOptions = {}): Promise<string> {
  const { validate_http_url: validate } = await import('#runtime/adapters/outbound/validate-http-url.ts');
  return await validate(nodeHost(), url, options);
}
