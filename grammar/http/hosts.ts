/** Whether an address leads to this machine alone. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address) || address === '::1';
}

/** The name in a `host` header, lower case, without port; empty for what is none. */
export function hostOf(header: string): string {
  return /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header.trim().toLowerCase())?.[1] ?? '';
}

/** The name in an `origin` header, as `hostOf` has it. */
export function hostOfOrigin(header: string): string {
  return hostOf(header.replace(/^https?:\/\//i, ''));
}

/** Names by which a server on loopback may be asked: that which it was told, its address, and those of this machine. */
export function ownHosts(host: string, address: string): ReadonlySet<string> {
  return new Set([host.toLowerCase(), address, '127.0.0.1', '[::1]', 'localhost']);
}
