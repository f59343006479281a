import { nodeHost } from '#runtime/hosts/node.ts';

/** Options that say which addresses are allowed. */
export interface ValidateHttpUrlOptions {
  /** Lets private networks and this machine in; link-local, multicast and reserved addresses stay refused. */
  readonly allow_private?: boolean;
}

/**
 * The address as it was given, when it may be asked: http or https, without user and password, and every address that
 * its name leads to is public. Rejects with `UrlValidationException`. Whoever connects afterwards looks the name up
 * again and may get another answer: `resolve_http_url` tells the addresses to connect to.
 */
export async function validate_http_url(url: string, options: ValidateHttpUrlOptions = {}): Promise<string> {
  const { validate_http_url: validate } = await import('#runtime/adapters/outbound/validate-http-url.ts');
  return await validate(nodeHost(), url, options);
}

/** Address that may be asked, and where it leads. */
export interface ResolvedHttpUrl {
  /** As it was given. */
  readonly url: string;
  /** Addresses of its host, at least one, all of them checked. */
  readonly addresses: readonly string[];
}

/**
 * The same, with the addresses that were checked. Who connects to one of these goes where the check has looked,
 * whatever the name leads to by then.
 */
export async function resolve_http_url(url: string, options: ValidateHttpUrlOptions = {}): Promise<ResolvedHttpUrl> {
  const { resolve_http_url: resolve } = await import('#runtime/adapters/outbound/validate-http-url.ts');
  return await resolve(nodeHost(), url, options);
}
