import { resolve } from 'node:path';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { SecretChain, SecretProvider as Provider } from '#runtime/services/secret-providers/port.ts';
import {
  ChainedSecretProvider as Chain,
  EnvSecretProvider as Env,
  FileSecretProvider as File,
} from '#runtime/services/secret-providers/providers.ts';
import { resolveSecretRefs } from '#runtime/services/secret-providers/resolve-secret-refs.ts';

/** Base of every provider. Providers of one's own may extend it, or just have these two members. */
export class SecretProvider implements Provider {
  /** The word before the colon of a reference; `*` takes part for every word. */
  readonly scheme: string = '*';

  /** Null where the name is unknown. */
  get(_name: string): Promise<string | null> {
    return Promise.resolve(null);
  }
}

/** Secrets from the environment of the process, as it was when this was made. */
export class EnvSecretProvider extends Env {
  constructor() {
    super(nodeHost().env);
  }
}

/** One secret a file, below a folder. */
export class FileSecretProvider extends File {
  constructor(root: string) {
    super(nodeHost().files, resolve(root));
  }
}

/** Several providers, asked in order. */
export class ChainedSecretProvider extends Chain {
  /**
   * The value of `${scheme:name}`, from the providers of that scheme; rejects with `SecretNotFoundException` where none
   * knows it.
   */
  resolve_one(scheme: string, name: string): Promise<string> {
    return this.resolveOne(scheme, name);
  }
}

/** The environment, then the files of a folder where one is given. */
export function default_provider({
  file_root = null,
}: { readonly file_root?: string | null } = {}): ChainedSecretProvider {
  return new ChainedSecretProvider([
    new EnvSecretProvider(),
    ...(file_root === null ? [] : [new FileSecretProvider(file_root)]),
  ]);
}

/**
 * A copy of a value in which `${env:NAME}` and `${file:NAME}` stand resolved, in all its texts. Rejects with
 * `SecretNotFoundException`.
 */
export function resolve_secret_refs<Value>(value: Value, provider: Provider): Promise<Value> {
  return resolveSecretRefs(value, asChain(provider)) as Promise<Value>;
}

/** A single provider is a chain of one. */
function asChain(provider: Provider): Pick<SecretChain, 'resolveOne'> {
  return provider instanceof Chain ? provider : new Chain([provider]);
}
