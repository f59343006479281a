import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { isObject } from '#schemas/types/json.ts';

/** A proxy of our own, which asks for every connection whether it may be made. */
export type WayOut = Awaited<ReturnType<Ports['browserProxy']['open']>>;

/**
 * Switches that leave a browser of the Chromium family no way out but a SOCKS proxy on this port of loopback. The proxy
 * has a name that only the browser knows, and all other names and addresses lead nowhere: what gets past the proxy, by
 * another context, a script for proxies or an extension, connects to nothing. Media and HTTP/3 would go their own way.
 */
export function onlyWayOut(port: number): readonly string[] {
  const place = `proxy.invalid:${port}`;
  return [
    `--proxy-server=socks5://${place}`,
    // Without it, this machine is asked directly.
    '--proxy-bypass-list=<-loopback>',
    `--host-resolver-rules=MAP ${place} 127.0.0.1:${port}, MAP * ~NOTFOUND`,
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  ];
}

/** The switches with those of the proxy; theirs is the last word. */
export function heldSwitches(switches: readonly string[], port: number): readonly string[] {
  return [...switches.filter((each) => !steersConnections(each)), ...onlyWayOut(port)];
}

/**
 * Asks for the gate `private` where a start says by itself how its browser connects. `told`: capabilities or launcher
 * options.
 */
export function requirePrivate(scope: Pick<Base, 'require'>, told: unknown): void {
  const found = steering(told);
  if (found !== undefined) scope.require('private', found);
}

function steering(value: unknown): string | undefined {
  if (typeof value === 'string') return steersConnections(value) ? value.split('=', 1)[0] : undefined;
  if (Array.isArray(value)) return value.map(steering).find((found) => found !== undefined);
  if (!isObject(value)) return undefined;
  for (const [key, part] of Object.entries(value)) {
    // A browser that is there already has been started by somebody else.
    if (key === 'proxy' || key === 'debuggerAddress') return key;
    const found = key === 'prefs' || key === 'extensions' ? undefined : steering(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function steersConnections(given: string): boolean {
  return /^-{0,2}(?:no-proxy-server|proxy-|winhttp-proxy|host-rules|host-resolver-rules|(?:force-)?webrtc-ip-handling)/i.test(
    given,
  );
}
