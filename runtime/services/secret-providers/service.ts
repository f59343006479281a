import { resolve } from 'node:path';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';

import type { SecretChain, SecretProvider } from './port.ts';
import { ChainedSecretProvider, EnvSecretProvider, FileSecretProvider } from './providers.ts';

export const provider: Provider<'secretProviders'> = {
  open: (context) => ({ chain: (fileRoot) => chainOf(context, fileRoot) }),
};

function chainOf({ host, settings, notice, mask, folders }: PortContext, fileRoot: string | null): SecretChain {
  const warn = (name: string): void =>
    notice('warning', `every user of this machine may read the secret file "${name}"`, {
      once: `secret-open-to-all ${name}`,
    });
  const providers: SecretProvider[] = [new EnvSecretProvider(settings.environment_closed ? {} : host.env)];
  if (fileRoot !== null) providers.push(new FileSecretProvider(host.files, resolve(folders.cwd, fileRoot), warn));
  const chain = new ChainedSecretProvider(providers);
  const masked = <Value extends string | null>(value: Value): Value => {
    if (value !== null) mask(value);
    return value;
  };
  return {
    scheme: '*',
    get: async (name) => masked(await chain.get(name)),
    resolveOne: async (scheme, name) => masked(await chain.resolveOne(scheme, name)),
  };
}
