import type { PortContext } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import type { ObjstoreLogin } from './port.ts';

export interface Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string;
  readonly region: string;
  readonly endpoint: URL | undefined;
}

/**
 * The keys that were given, else those of the environment, else those of the user's files; and the region, likewise.
 * Callers of a server bring keys of their own: neither the environment nor the files of its owner lend them any.
 */
export async function findCredentials(
  { host, settings }: Pick<PortContext, 'host' | 'settings'>,
  login: ObjstoreLogin,
): Promise<Credentials> {
  if (settings.environment_closed)
    return { ...ownKeys(login), region: login.region ?? US_EAST, endpoint: endpointOf(login.endpoint) };
  const { env } = host;
  const profile = env['AWS_PROFILE'] ?? 'default';
  const config = await section(host, env['AWS_CONFIG_FILE'] ?? inHome(env, 'config'), [profile, `profile ${profile}`]);
  const region = login.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? config.get('region') ?? US_EAST;
  const keys = await keysOf(host, login, config, profile);
  return { ...keys, region, endpoint: endpointOf(login.endpoint) };
}

const US_EAST = 'us-east-1';

type Keys = Pick<Credentials, 'accessKey' | 'secretKey' | 'sessionToken'>;

async function keysOf(
  host: Host,
  login: ObjstoreLogin,
  config: ReadonlyMap<string, string>,
  profile: string,
): Promise<Keys> {
  const { env } = host;
  if (login.accessKey !== undefined || login.secretKey !== undefined) return ownKeys(login);
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = env;
  if (id && secret) return { accessKey: id, secretKey: secret, ...(token && { sessionToken: token }) };
  const file = env['AWS_SHARED_CREDENTIALS_FILE'] ?? inHome(env, 'credentials');
  for (const found of [await section(host, file, [profile]), config]) {
    const [accessKey, secretKey] = [found.get('aws_access_key_id'), found.get('aws_secret_access_key')];
    const sessionToken = found.get('aws_session_token');
    if (accessKey && secretKey) return { accessKey, secretKey, ...(sessionToken && { sessionToken }) };
  }
  throw fail.storageLoginForm({
    backend: 'objstore',
    reason: `no keys were given, and none stand in the environment or under [${profile}] in "${file}"`,
  });
}

function ownKeys({ accessKey, secretKey }: ObjstoreLogin): Keys {
  if (accessKey && secretKey) return { accessKey, secretKey };
  const reason =
    accessKey === undefined && secretKey === undefined
      ? 'no keys were given, and callers of a server have none but their own'
      : 'the key id and the secret key belong together';
  throw fail.storageLoginForm({ backend: 'objstore', reason });
}

function inHome(env: Host['env'], name: string): string {
  return `${env['HOME'] ?? env['USERPROFILE'] ?? ''}/.aws/${name}`;
}

/** The values of the first of some sections of an INI file that is there. */
async function section(host: Host, path: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  if ((await host.files.find(path)) === undefined) return values;
  let inside = false;
  for (const line of new TextDecoder().decode(await host.files.read(path)).split(/\r?\n/)) {
    const [, name] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    if (name !== undefined) inside = names.includes(name.trim());
    const [, key, value] = /^\s*([A-Za-z0-9_]+)\s*=([^]*)$/.exec(line) ?? [];
    if (inside && key !== undefined && value !== undefined) values.set(key.toLowerCase(), value.trim());
  }
  return values;
}

function endpointOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw fail.storageLoginForm({ backend: 'objstore', reason: 'the endpoint is no http or https address' });
  return url;
}
