import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { ConnectionOptions } from 'node:tls';

import type { Client } from 'basic-ftp';

import type { PortContext, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { requireFile } from '#stdlib/files/kind.ts';

import type { CallOptions } from '../backend.ts';
import { openSocket } from '../open-socket.ts';
import { firstLine, messageFailure } from './failures.ts';
import type { FtpLogin } from './port.ts';

export interface FtpSurroundings extends Pick<PortContext, 'host' | 'folders' | 'notice'> {
  readonly outbound: Ports['outbound'];
}

/** A control connection that is signed in. One thing at a time can be asked on it. */
export interface FtpConnection {
  readonly client: Client;
  /** Names of what the server can do, in capitals. */
  readonly features: ReadonlySet<string>;
  /** The folder in which paths without a slash at their beginning begin. */
  readonly home: string;
  /** Takes times by the command that only asks for them elsewhere. */
  readonly isVsftpd: boolean;
}

/** Time (ms) that work has to end by itself: with what follows a cancellation takes less than a second. */
const MOMENT = 250;

const BASIC_FTP_VERSION = '6.2.3';

/** Connects to an address that may be asked, upgrades to TLS where that is wanted, and signs in. */
export async function connectFtp(
  { host, folders, outbound }: FtpSurroundings,
  login: FtpLogin,
  place: string,
  { signal }: CallOptions,
): Promise<FtpConnection> {
  const { Client } = await basicFtp(place);
  const secure = login.tls ? await tlsOptions(host.files, folders.cwd, login) : undefined;
  const client = new Client(login.timeoutMs);
  const socket = await openSocket(outbound, { ...login, place, signal });
  return await stopping(client, signal, async () => {
    try {
      client.ftp.socket = socket;
      const welcome = await client.ftp.handle(undefined, (answer, task) =>
        answer instanceof Error ? task.reject(answer) : task.resolve(answer),
      );
      if (welcome.code !== 220) throw fail.storageUnavailable({ place, reason: firstLine(welcome.message) });
      if (secure) await secured(client, secure, place);
      await client.sendIgnoringError('OPTS UTF8 ON');
      await client.login(login.username, login.password);
      await client.useDefaultSettings();
      const features = new Set([...(await client.features()).keys()].map((name) => name.toUpperCase()));
      return { client, features, home: await client.pwd(), isVsftpd: /vsftpd/i.test(welcome.message) };
    } catch (error) {
      client.close();
      signal.throwIfAborted();
      throw messageFailure(error, { place, path: '', timeoutMs: login.timeoutMs });
    }
  });
}

async function basicFtp(place: string): Promise<typeof import('basic-ftp')> {
  try {
    // The package is CommonJS: everything stands in its default export.
    const module: typeof import('basic-ftp') & { readonly default?: typeof import('basic-ftp') } =
      await import('basic-ftp');
    return module.default ?? module;
  } catch (cause) {
    throw fail.storagePackageMissing({ place, package: 'basic-ftp', version: BASIC_FTP_VERSION, cause });
  }
}

/** Data connections take the session of the control connection up again, which many servers demand. */
async function tlsOptions(
  files: FtpSurroundings['host']['files'],
  cwd: string,
  { host, verify }: FtpLogin,
): Promise<ConnectionOptions> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  if (typeof verify === 'boolean') return { host, ...name, rejectUnauthorized: verify };
  const path = resolve(cwd, verify);
  await requireFile(files, path);
  const own = new TextDecoder().decode(await files.read(path));
  const { rootCertificates } = process.getBuiltinModule('node:tls');
  return { host, ...name, ca: [...rootCertificates, own] };
}

async function secured(client: Client, options: ConnectionOptions, place: string): Promise<void> {
  try {
    await client.useTLS(options);
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'number')
      throw fail.storageCannot({ place, what: `it does not speak TLS (${firstLine(error.message)})`, cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw fail.storageCertificate({ place, reason, cause: error });
  }
}

/**
 * Ends the connection when the signal is aborted: what was asked on it cannot be taken back. Nobody waits for the work
 * then: a data connection that nothing answers would hold it up until its time limit.
 */
export async function stopping<Result>(
  client: Client,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    client.close();
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  const working = work();
  try {
    return await Promise.race([working, stopped]);
  } catch (error) {
    // One that is made after all would be nobody's.
    if (signal.aborted) void working.catch(() => undefined).then(() => client.ftp.dataSocket?.destroy());
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * The same for work that ends early by itself when the signal is aborted: it has a moment for that, and where it takes
 * it the connection goes on. What it has left is removed then without another login.
 */
export async function ending<Result>(
  client: Client,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => void (timer = setTimeout(() => late.abort(signal.reason), MOMENT));
  signal.addEventListener('abort', wait, { once: true });
  try {
    const result = await stopping(client, late.signal, work);
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener('abort', wait);
    clearTimeout(timer);
  }
}

/** Whether an error is an answer of the server, after which the connection goes on. */
export function isAnswer(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && !(error instanceof Failure);
}
