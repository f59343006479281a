import { isIP } from 'node:net';

import * as fail from '#schemas/generated/failures.ts';

/** Proxies by `scheme`, `scheme://host`, `all` or `all://host`. */
export type Proxies = Readonly<Record<string, string>>;
export type Env = Readonly<Record<string, string | undefined>>;

/** `socks5h` is how other clients write that the proxy looks hosts up, which every one of ours does. */
const schemes = new Set(['http:', 'https:', 'socks5:', 'socks5h:', 'socks:']);

/** The proxy for an address; undefined: none. The most exact key wins. */
export function chooseProxy(url: URL, proxies: Proxies | undefined, env: Env): URL | undefined {
  const text = proxies ? named(url, proxies) : fromEnvironment(url, env);
  return text === undefined ? undefined : parseProxy(text);
}

function named({ protocol, hostname }: URL, proxies: Proxies): string | undefined {
  const scheme = protocol.slice(0, -1);
  return proxies[`${scheme}://${hostname}`] ?? proxies[scheme] ?? proxies[`all://${hostname}`] ?? proxies['all'];
}

/**
 * Proxy of the environment, as other clients read these variables; only an address of this machine is never
 * sent to a proxy.
 */
function fromEnvironment(url: URL, env: Env): string | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const proxy = variable(env, `${url.protocol.slice(0, -1)}_proxy`) ?? variable(env, 'all_proxy');
  if (proxy === undefined || isExempt(url, variable(env, 'no_proxy') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function variable(env: Env, name: string): string | undefined {
  return env[name] || env[name.toUpperCase()] || undefined;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

function isExempt(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '') return false;
    if (entry === '*') return true;
    const [, name = entry, wanted] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
    const suffix = name.replace(/^\*?\./, '').toLowerCase();
    return (
      (wanted === undefined || wanted === port) && (url.hostname === suffix || url.hostname.endsWith(`.${suffix}`))
    );
  });
}

function parseProxy(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !schemes.has(url.protocol) || url.hostname === '')
    throw fail.httpProxyAddress({ proxy: withoutLogin(text) });
  return url;
}

/** Address without user and password, for messages. */
export function withoutLogin(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//');
}
