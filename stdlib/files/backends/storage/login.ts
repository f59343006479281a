import type { StorageUri } from '#grammar/storage-uri/parse.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { FtpLogin } from '../ftp/port.ts';
import type { ObjstoreLogin } from '../objstore/port.ts';
import type { SftpLogin } from '../sftp/port.ts';
import type { SmbLogin } from '../smb/port.ts';
import type { WebdavLogin } from '../webdav/login.ts';
import type { StorageOptions } from './port.ts';

/** Options of one call, by the names of the parameters of the command that would connect. */
export class Options {
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

  flag(name: string): boolean | undefined {
    const value = this.#take(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw this.#wrong(`"${name}" must be true or false`);
    return value;
  }

  /** True, false, or the path of trusted authorities. */
  verify(name: string): boolean | string | undefined {
    const value = this.#left.get(name);
    return typeof value === 'string' ? this.text(name) : this.flag(name);
  }

  /** Fails for an option that nothing has read: it is a mistake. */
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

/** The base address that was given, or the top of the host of the address. */
export function webdavLogin(host: string, uri: StorageUri, given: StorageOptions): WebdavLogin {
  const options = new Options('webdav', given);
  const protocol = uri.scheme === 'webdavs' ? 'https' : 'http';
  const ofHost = host === '' ? undefined : `${protocol}://${host}${uri.port === undefined ? '' : `:${uri.port}`}`;
  const login = {
    baseUrl: options.text('base_url') ?? ofHost ?? '',
    username: uri.user ?? options.text('username'),
    password: options.text('password'),
    allowPrivate: options.flag('allow_private_hosts') ?? false,
    timeoutMs: (options.number('timeout') ?? 30) * 1000,
    verify: options.verify('verify_tls') ?? true,
  };
  options.end();
  const wrong = (reason: string): Error => fail.storageLoginForm({ backend: 'webdav', reason });
  if (login.baseUrl === '') throw wrong('the option "base_url" is missing');
  if (host !== '' && URL.parse(login.baseUrl)?.hostname !== host.toLowerCase())
    throw wrong('"base_url" names another host than the address');
  return login;
}

export function ftpLogin(host: string, uri: StorageUri, given: StorageOptions): FtpLogin {
  const options = new Options('ftp', given);
  const login = {
    host: host === '' ? (options.text('host') ?? '') : host,
    port: uri.port ?? options.number('port') ?? 21,
    username: uri.user ?? options.text('username') ?? 'anonymous',
    password: options.text('password') ?? '',
    tls: options.flag('tls') ?? uri.scheme === 'ftps',
    verify: options.verify('verify_tls') ?? true,
    timeoutMs: (options.number('timeout') ?? 30) * 1000,
    passive: options.flag('passive') ?? true,
  };
  options.end();
  if (login.host === '') throw fail.storageLoginForm({ backend: 'ftp', reason: 'the option "host" is missing' });
  if (!login.tls && uri.scheme === 'ftps')
    throw fail.storageLoginForm({ backend: 'ftp', reason: '"tls" is false, and the address says ftps' });
  return login;
}

/** The share stands in the address behind the host, or in the option `share`. */
export function smbLogin(host: string, uri: StorageUri, given: StorageOptions): SmbLogin {
  const options = new Options('smb', given);
  const login = {
    server: host === '' ? (options.text('server') ?? '') : host,
    share: options.text('share') ?? '',
    username: uri.user ?? options.text('username'),
    password: options.text('password'),
    port: uri.port ?? options.number('port') ?? 445,
    encrypt: options.flag('encrypt') ?? true,
    timeoutMs: (options.number('connection_timeout') ?? 30) * 1000,
  };
  options.end();
  if (login.server === '') throw fail.storageLoginForm({ backend: 'smb', reason: 'the option "server" is missing' });
  if (login.share === '') throw fail.storageLoginForm({ backend: 'smb', reason: 'the option "share" is missing' });
  return login;
}
