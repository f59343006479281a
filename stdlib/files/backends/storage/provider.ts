import { parseStorageUri, prepareStorageUri, type StorageUri } from '#grammar/storage-uri/parse.ts';
import { formOf, kindOf } from '#grammar/storage-uri/schemes.ts';
import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { STORAGE } from '#schemas/generated/choices.ts';
import * as fail from '#schemas/generated/failures.ts';

import { chosenBy } from '#schemas/types/scheme.ts';
import { tellsOfSecret } from '#schemas/types/secret-key.ts';

import type { Backend, CallOptions } from '../backend.ts';
import type { StorageSession } from '../session.ts';
import { addressProblem } from './address-problem.ts';
import { ftpLogin, objstoreLogin, sftpLogin, smbLogin, webdavLogin } from './login.ts';
import type { StorageOptions, StoragePlace } from './port.ts';
import { blobstoreLogin, drive2Login, drive3Login, driveLogin, filesyncLogin } from './service-login.ts';
import { webBackend } from './web.ts';

export const provider: Provider<'storage'> = {
  open: (context) => ({ open: (address, options, call) => open(context, address, options, call) }),
};

async function open(
  context: PortContext,
  address: string,
  options: StorageOptions,
  call: CallOptions,
): Promise<StoragePlace> {
  maskSecrets(context, options);
  const uri = await read(address);
  requireAllowed(uri, context.settings);
  const backend = await backendOf(context, uri, address, options, call);
  const path = pathOf(uri);
  const isOwn = Object.keys(options).length > 0;
  return {
    backend,
    path,
    prefix: address.slice(0, address.length - path.length),
    close: async () => (isOwn ? await backend.close() : undefined),
  };
}

/** Hides the secrets of a login before anything looks at it: one that is refused stands in records too. */
function maskSecrets({ mask }: Pick<PortContext, 'mask'>, options: StorageOptions): void {
  for (const [name, value] of Object.entries(options))
    if (typeof value === 'string' && value !== '' && (name === 'connection_string' || tellsOfSecret(name))) mask(value);
}

/** Schemes that the configuration lists are allowed, by any of their names; a path without one is no address. */
function requireAllowed({ scheme }: StorageUri, { storage }: PortContext['settings']): void {
  const allowed = storage?.schemes;
  if (allowed === undefined || scheme === '' || allowed.some((one) => kindOf(one) === kindOf(scheme))) return;
  throw fail.addressSchemeClosed({ scheme, allowed: allowed.toSorted().join(', ') || 'none' });
}

async function read(address: string): Promise<StorageUri> {
  await prepareStorageUri([address]);
  const { uri, problems } = parseStorageUri(address);
  const shown = address.replace(/\/\/[^/]*@/, '//');
  const [problem = { key: 'unreadable' as const, from: 0, to: address.length }] = problems;
  if (!uri) throw fail.storageAddress({ address: shown, reason: addressProblem(problem) });
  if (uri.password !== undefined)
    throw fail.storageAddress({ address: shown, reason: 'a password must not stand in it' });
  return uri;
}

async function backendOf(
  context: PortContext,
  uri: StorageUri,
  address: string,
  options: StorageOptions,
  call: CallOptions,
): Promise<Backend> {
  const { host = '' } = uri;
  const port = chosenBy(STORAGE, address);
  switch (port) {
    case 'nearStorage': {
      noOptions(uri.scheme || 'local', options);
      const { local, memory } = await context.port(port);
      return uri.scheme === 'memory' ? memory : local;
    }
    case 'http':
      noOptions(uri.scheme, options);
      return webBackend(await context.port(port), address);
    case 'sftp':
      return await connected(await context.port(port), uri, options, call, () => sftpLogin(host, uri, options));
    case 'ftp':
      return await connected(await context.port(port), uri, options, call, () => ftpLogin(host, uri, options));
    case 'smb':
      return await connected(await context.port(port), uri, options, call, () => smbLogin(host, uri, options));
    case 'webdav':
      return await connected(await context.port(port), uri, options, call, () => webdavLogin(host, uri, options));
    case 'objstore':
      return await connected(await context.port(port), { ...uri, host: '' }, options, call, () =>
        objstoreLogin(options),
      );
    case 'blobstore':
      return await connected(await context.port(port), { ...uri, host: '' }, options, call, () =>
        blobstoreLogin(options),
      );
    case 'filesync':
      return await connected(await context.port(port), uri, options, call, () => filesyncLogin(options));
    case 'drive':
      return await connected(await context.port(port), uri, options, call, () => driveLogin(options));
    case 'drive2':
      return await connected(await context.port(port), uri, options, call, () => drive2Login(options));
    case 'drive3':
      return await connected(await context.port(port), uri, options, call, () => drive3Login(options));
    case undefined:
      throw fail.storageAddress({ address: `${uri.scheme}:…`, reason: 'there is no such storage yet' });
    default:
      return port satisfies never;
  }
}

/**
 * The connection that is open: the one to the host of the address where it names one, else the one without a name; or
 * one of the call's own. A connection that cannot be opened again may be the one that is meant: only where no other is,
 * its failure is told.
 */
async function connected<Login>(
  session: StorageSession<Login>,
  uri: StorageUri,
  options: StorageOptions,
  call: CallOptions,
  login: () => Login,
): Promise<Backend> {
  if (Object.keys(options).length > 0) return await session.open(login(), call);
  if (uri.host === undefined || uri.host === '') return await session.current(call);
  let failed: { readonly error: unknown } | undefined;
  for (const profile of session.profiles()) {
    try {
      const backend = await session.current(call, profile);
      if (isAt(uri, backend)) return backend;
    } catch (error) {
      call.signal.throwIfAborted();
      failed ??= { error };
    }
  }
  if (failed) throw failed.error;
  const { scheme } = await session.current(call);
  throw fail.storageNotReady({ backend: `${uri.scheme}://${uri.host}`, command: `FA_${scheme}_later_init` });
}

/** Whether a connection leads to the server that an address names. */
function isAt(uri: StorageUri, { place }: Backend): boolean {
  const open = parseStorageUri(`${place}/`).uri;
  return (
    open?.scheme === uri.scheme &&
    open.host?.toLowerCase() === uri.host?.toLowerCase() &&
    (uri.user === undefined || uri.user === open.user) &&
    uri.port === open.port
  );
}

function noOptions(backend: string, options: StorageOptions): void {
  const [name] = Object.keys(options);
  if (name !== undefined) throw fail.storageLoginForm({ backend, reason: `it takes no option "${name}"` });
}

function pathOf(uri: StorageUri): string {
  // A bucket or a container is the first part of a path.
  return formOf(uri.scheme) === 'container' ? `${uri.host ?? ''}${uri.path}` : uri.path;
}
