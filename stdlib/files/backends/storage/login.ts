import type { StorageUri } from '#grammar/storage-uri/parse.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { ObjstoreLogin } from '../objstore/port.ts';
import type { SftpLogin } from '../sftp/port.ts';
import type { StorageOptions } from './port.ts';

/** Options of one call, by the names of the parameters of the command that would connect. */
class Options {
  readonly #left: Map<string, unknown>;
  readonly #backend: string;

  constructor(backend: string, options: StorageOptions) {
    this.#backend = backend;
    this.#left = new Map(Object.entries(options));
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw this.#wrong(`"${name}" must be a text`);
    return value;
  }

  number(name: string): number | undefined {
    const value = this.#take(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'number' || !(value > 0)) throw this.#wrong(`"${name}" must be a number above 0`);
    return value;
  }

  /** What nobody asked for is a mistake. */
  end(): void {
    const [name] = this.#left.keys();
    if (name !== undefined) throw this.#wrong(`there is no option "${name}"`);
  }

  #take(name: string): unknown {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  #wrong(reason: string): Error {
    return fail.storageLoginForm({ backend: this.#backend, reason });
  }
}

export function sftpLogin(host: string, uri: StorageUri, given: StorageOptions): SftpLogin {
  const options = new Options('sftp', given);
  const login = {
    host: host === '' ? (options.text('host') ?? '') : host,
    port: uri.port ?? options.number('port') ?? 22,
    username: uri.user ?? options.text('username') ?? '',
    password: options.text('password'),
    keyFile: options.text('key_filename'),
    knownHosts: options.text('known_hosts'),
    timeoutMs: (options.number('timeout') ?? 15) * 1000,
  };
  options.end();
  for (const [name, value] of [
    ['host', login.host],
    ['username', login.username],
  ] as const)
    if (value === '') throw fail.storageLoginForm({ backend: 'sftp', reason: `the option "${name}" is missing` });
  return login;
}

export function objstoreLogin(given: StorageOptions): ObjstoreLogin {
  const options = new Options('objstore', given);
  const login = {
    accessKey: options.text('access_key_id'),
    secretKey: options.text('secret_access_key'),
    region: options.text('region_name'),
    endpoint: options.text('endpoint_url'),
  };
  options.end();
  return login;
}
