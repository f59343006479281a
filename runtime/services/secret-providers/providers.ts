import { readSecretFile } from '#runtime/kernel/secret-file.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files, Host } from '#schemas/types/host.ts';

import type { SecretChain, SecretProvider } from './port.ts';

/** Secrets from the process environment; a variable that is set but empty is found. */
export class EnvSecretProvider implements SecretProvider {
  readonly scheme = 'env';
  readonly #env: Host['env'];

  constructor(env: Host['env']) {
    this.#env = env;
  }

  get(name: string): Promise<string | null> {
    return Promise.resolve(Object.hasOwn(this.#env, name) ? (this.#env[name] ?? null) : null);
  }
}

/** One secret a file, below a folder; names that lead out of it, also through links, are unknown. */
export class FileSecretProvider implements SecretProvider {
  readonly scheme = 'file';
  readonly #files: Files;
  readonly #root: string;
  readonly #onOpenToAll: (name: string) => void;

  /** `onOpenToAll` hears of files that every user of the machine may read. */
  constructor(files: Files, root: string, onOpenToAll: (name: string) => void = () => undefined) {
    this.#files = files;
    this.#root = root;
    this.#onOpenToAll = onOpenToAll;
  }

  /** Fails for what is there and cannot be a secret: too large, or no UTF-8. */
  async get(name: string): Promise<string | null> {
    const found = await readSecretFile(this.#files, this.#root, name);
    if (found?.isOpenToAll) this.#onOpenToAll(name);
    return found?.text ?? null;
  }
}

/** Several providers, asked in order. */
export class ChainedSecretProvider implements SecretChain {
  readonly scheme = '*';
  readonly #providers: readonly SecretProvider[];

  constructor(providers: readonly SecretProvider[]) {
    this.#providers = providers;
  }

  /** Asks the first provider that knows the name, whatever its scheme. */
  get(name: string): Promise<string | null> {
    return this.#ask(this.#providers, name);
  }

  async resolveOne(scheme: string, name: string): Promise<string> {
    const asked = this.#providers.filter((provider) => provider.scheme === scheme || provider.scheme === '*');
    const reference = `\${${scheme}:${name}}`;
    if (asked.length === 0)
      throw fail.secretNotFound({
        reference,
        reason: scheme === 'file' ? 'no folder of secret files is set' : `no provider knows "${scheme}"`,
      });
    const value = await this.#ask(asked, name, scheme);
    if (value === null)
      throw fail.secretNotFound({
        reference,
        reason: scheme === 'env' ? 'the environment has no such variable' : 'there is no such secret',
      });
    return value;
  }

  /** A chain inside a chain still asks only for the scheme that is wanted. */
  async #ask(providers: readonly SecretProvider[], name: string, scheme?: string): Promise<string | null> {
    for (const provider of providers) {
      // A provider of a program may answer as a map does.
      const value: string | null | undefined =
        scheme !== undefined && provider instanceof ChainedSecretProvider
          ? await provider.#askFor(scheme, name)
          : await provider.get(name);
      if (value !== null && value !== undefined) return value;
    }
    return null;
  }

  #askFor(scheme: string, name: string): Promise<string | null> {
    return this.#ask(
      this.#providers.filter((provider) => provider.scheme === scheme || provider.scheme === '*'),
      name,
      scheme,
    );
  }
}
