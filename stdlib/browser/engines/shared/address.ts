import type { Base, Settings } from '#runtime/kernel/ports.ts';
import { addressSchemeClosed, addressUnusable, addressWithoutBase } from '#schemas/generated/failures.ts';

/** `localhost:8080/x` reads as a scheme with a path; what begins like a host with a port is none. */
const hostWithPort = /^[\w.-]+:\d+(\/|$)/;
const scheme = /^([a-z][a-z0-9+.-]*):/i;

/**
 * The address that a browser is sent to: relative ones are completed by `meta.base_url`; the configuration may restrict
 * the schemes. A `javascript:` address runs a script in the page and so goes through the gate of scripts.
 */
export function addressFor(url: string, scope: Pick<Base, 'step' | 'require'>, settings: Settings): string {
  const own = hostWithPort.test(url) ? undefined : scheme.exec(url)?.[1];
  const whole = own === undefined ? completed(url, scope.step.baseUrl) : url;
  const name = (scheme.exec(whole)?.[1] ?? '').toLowerCase();
  if (name === 'javascript') scope.require('script', 'javascript:');
  const allowed = settings.browser?.schemes;
  if (allowed && !allowed.includes(name))
    throw addressSchemeClosed({ scheme: name, allowed: allowed.toSorted().join(', ') });
  if (!URL.canParse(whole)) throw addressUnusable({ url });
  return whole;
}

function completed(url: string, base: string | undefined): string {
  if (hostWithPort.test(url)) throw addressUnusable({ url });
  if (base === undefined) throw addressWithoutBase({ url });
  if (!URL.canParse(url, base)) throw addressUnusable({ url });
  return new URL(url, base).href;
}
