import type { Writable } from 'node:stream';

import type {
  AuthMethod,
  Client,
  ConnectConfig,
  KeyboardInteractiveAuthMethod,
  PasswordAuthMethod,
  PublicKeyAuthMethod,
  SFTPWrapper,
  Stats,
} from 'ssh2';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';

import { requireFile } from '#stdlib/files/kind.ts';

import type { CallOptions } from '../backend.ts';
import { openSocket } from '../open-socket.ts';
import { joinPackets } from './joined-packets.ts';
import { fingerprint, KnownHosts } from './known-hosts.ts';
import type { SftpLogin } from './port.ts';

export interface SftpSurroundings {
  readonly host: Host;
  readonly outbound: Ports['outbound'];
}

/** A connection with one SFTP channel on it. */
export interface SftpConnection {
  readonly sftp: SFTPWrapper;
  /** Sends together what is asked from now on in this turn. */
  readonly gather: () => void;
  /** False as soon as it has broken off. */
  isOpen(): boolean;
  end(): void;
}

const SSH2_VERSION = '1.17.0';

/** Names of files in which OpenSSH keeps keys of a user. */
const OWN_KEYS = ['id_ed25519', 'id_ecdsa', 'id_rsa'];

/** Connects, proves who the server is, then who we are. */
export async function connectSftp(
  surroundings: SftpSurroundings,
  login: SftpLogin,
  place: string,
  { signal }: CallOptions,
): Promise<SftpConnection> {
  const { Client: SshClient, utils } = await ssh2(place);
  const known = await knownHosts(surroundings.host, login);
  const methods = await authentication(surroundings.host, login, utils.parseKey);
  const sock = await openSocket(surroundings.outbound, { ...login, place, signal });
  const client: Client = new SshClient();
  let refusal: Failure | undefined;
  let open = true;
  client.on('close', () => (open = false));
  const config: ConnectConfig = {
    sock,
    host: login.host,
    port: login.port,
    username: login.username,
    readyTimeout: login.timeoutMs,
    keepaliveInterval: 15_000,
    keepaliveCountMax: 3,
    authHandler: methods,
    hostVerifier: (key: Buffer) => {
      refusal = hostKeyFailure(known, login, key);
      return refusal === undefined;
    },
    ...preferring(known.hosts.typesFor(login.host, login.port)),
  };
  try {
    await ready(client, config, signal);
    joinPackets(client);
    const sftp = await channel(client, signal, login.timeoutMs, place);
    return {
      sftp,
      gather: gathering(sock),
      isOpen: () => open,
      end: () => {
        open = false;
        client.end();
        client.destroy();
      },
    };
  } catch (error) {
    client.on('error', () => undefined);
    client.destroy();
    signal.throwIfAborted();
    throw refusal ?? connectFailure(error, place, login.timeoutMs);
  }
}

/** Function that makes one packet on the wire of all that is asked within one turn. */
function gathering(sock: Writable): () => void {
  let isCorked = false;
  return () => {
    if (isCorked) return;
    isCorked = true;
    sock.cork();
    process.nextTick(() => {
      isCorked = false;
      sock.uncork();
    });
  };
}

async function ssh2(place: string): Promise<typeof import('ssh2')> {
  try {
    // The package is CommonJS: everything stands in its default export.
    const module = await import('ssh2');
    return module.default ?? module;
  } catch (cause) {
    throw fail.storagePackageMissing({ place, package: 'ssh2', version: SSH2_VERSION, cause });
  }
}

interface Known {
  readonly hosts: KnownHosts;
  readonly file: string;
}

/** The user's own list is read by the user's rights, whatever bounds the paths of a caller. */
async function knownHosts(host: Host, { knownHosts: given }: SftpLogin): Promise<Known> {
  const { env } = host;
  const files = given === undefined ? (host.owner ?? host.files) : host.files;
  const file = given ?? `${env['HOME'] ?? env['USERPROFILE'] ?? ''}/.ssh/known_hosts`;
  if (given === undefined && (await files.find(file)) === undefined) return { hosts: new KnownHosts(''), file };
  await requireFile(files, file);
  return { hosts: new KnownHosts(new TextDecoder().decode(await files.read(file))), file };
}

function hostKeyFailure({ hosts, file }: Known, { host, port }: SftpLogin, key: Uint8Array): Failure | undefined {
  const verdict = hosts.verdict(host, port, key);
  if (verdict === 'known') return undefined;
  const about = { host: port === 22 ? host : `[${host}]:${port}`, file, fingerprint: fingerprint(key) };
  return verdict === 'unknown' ? fail.storageHostKeyUnknown(about) : fail.storageHostKeyChanged(about);
}

/** Asks a server that has several keys for one of those that are known. */
function preferring(types: readonly string[]): Pick<ConnectConfig, 'algorithms'> {
  if (types.length === 0) return {};
  const names = types.flatMap((type) => (type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256'] : [type]));
  const usable = names.filter((name) => HOST_KEYS.includes(name));
  return usable.length === 0 ? {} : { algorithms: { serverHostKey: usable as never } };
}

const HOST_KEYS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
];

type Method = PublicKeyAuthMethod | PasswordAuthMethod | KeyboardInteractiveAuthMethod;
type ParseKey = (typeof import('ssh2'))['utils']['parseKey'];

/**
 * The key that was named, or else those of the user, unless a caller asks, who is somebody else; then the password.
 * Keys that an agent holds are never used.
 */
async function authentication(host: Host, login: SftpLogin, parseKey: ParseKey): Promise<AuthMethod[]> {
  const { files, env, owner } = host;
  const { username, password, keyFile } = login;
  const methods: Method[] = [];
  const own = owner === undefined ? OWN_KEYS.map((name) => `${env['HOME'] ?? ''}/.ssh/${name}`) : [];
  for (const path of keyFile === undefined ? own : [keyFile]) {
    if (keyFile === undefined && (await files.find(path)) === undefined) continue;
    await requireFile(files, path);
    const key = Buffer.from(await files.read(path));
    const parsed = parseKey(key, password);
    if (!(parsed instanceof Error))
      methods.push({ type: 'publickey', username, key, ...(password !== undefined && { passphrase: password }) });
    else if (keyFile !== undefined)
      throw fail.storageLoginForm({
        backend: 'sftp',
        reason: `the key in "${path}" cannot be read (${parsed.message})`,
      });
  }
  if (password !== undefined) {
    methods.push({ type: 'password', username, password });
    methods.push({
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _text, _lang, prompts, finish) => finish(prompts.map(() => password)),
    });
  }
  if (methods.length === 0)
    throw fail.storageLoginForm({ backend: 'sftp', reason: 'neither a password nor a key is there' });
  return methods;
}

function ready(client: Client, config: ConnectConfig, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const end = (work: () => void) => () => {
      signal.removeEventListener('abort', stop);
      work();
    };
    client.once('ready', end(resolve));
    client.on('error', (error) => end(() => reject(error))());
    client.once(
      'close',
      end(() => reject(new Error('the server closed the connection'))),
    );
    client.connect(config);
  });
}

function channel(client: Client, signal: AbortSignal, timeoutMs: number, place: string): Promise<SFTPWrapper> {
  return asking<SFTPWrapper>({ signal, timeoutMs, place }, (done) => client.sftp(done));
}

export interface Asking {
  /** Called before a question. */
  readonly gather?: () => void;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly place: string;
}

type Done<Answer> = (error: Error | null | undefined, answer: Answer) => void;

/** One question and its answer, given up when the signal is aborted or time is over. */
export function asking<Answer = void>(
  { signal, timeoutMs, place, gather }: Asking,
  ask: (done: Done<Answer>) => unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = (): void => end(() => reject(signal.reason));
    const timer = setTimeout(
      () => end(() => reject(fail.storageTimeout({ place, seconds: timeoutMs / 1000 }))),
      timeoutMs,
    );
    const end = (work: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      work();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      gather?.();
      ask((error, answer) => end(() => (error ? reject(error) : resolve(answer))));
    } catch (error) {
      end(() => reject(error));
    }
  });
}

function connectFailure(error: unknown, place: string, timeoutMs: number): Failure {
  if (error instanceof Failure) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const level = error instanceof Error && 'level' in error ? error.level : '';
  if (level === 'client-authentication')
    return fail.storageLogin({ place, reason: 'no method was accepted', cause: error });
  if (level === 'client-timeout') return fail.storageTimeout({ place, seconds: timeoutMs / 1000, cause: error });
  return fail.storageBrokenOff({ place, reason, cause: error });
}

export type { Stats };
