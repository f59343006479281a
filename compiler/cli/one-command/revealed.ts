import { resolve } from 'node:path';

import {
  ChainedSecretProvider,
  EnvSecretProvider,
  FileSecretProvider,
} from '#runtime/services/secret-providers/providers.ts';
import { resolveSecretRefs } from '#runtime/services/secret-providers/resolve-secret-refs.ts';

import type { Workspace } from '../workspace.ts';

/**
 * A value of the command line with its references `${env:NAME}` and `${file:NAME}` resolved: the arguments of a process
 * are there for everybody to see, so secrets stand elsewhere.
 */
export function revealed<Value>(value: Value, { host, configuration, root: folder }: Workspace): Promise<Value> {
  const root = configuration.settings.secrets?.file_root;
  const providers = [
    new EnvSecretProvider(host.env),
    ...(root === undefined ? [] : [new FileSecretProvider(host.files, resolve(folder, root))]),
  ];
  return resolveSecretRefs(value, new ChainedSecretProvider(providers)) as Promise<Value>;
}
