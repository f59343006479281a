import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { Granted } from '../drives/access.ts';
import { jsonIn, objectIn, textIn } from '../drives/api-service.ts';
import { HttpService } from '../http-service.ts';
import { requireSafeAddress } from '../service-address.ts';
import type { Client, TokenTools } from './client.ts';
import type { DriveLogin } from './port.ts';
import { signIn } from './sign-in.ts';

export interface Tokens {
  readonly granted: Granted | undefined;
  renew(signal: AbortSignal): Promise<Granted>;
}

const LARGEST = 64 * 1024;

/** The stored token, with a person's sign-in where there is none that can be used or renewed. */
export async function openTokens(tools: TokenTools, login: DriveLogin): Promise<Tokens> {
  const client = await readClient(tools, login.credentialsPath);
  let stored = await readStored(tools, login.tokenPath);
  const keep = async (answer: JsonObject): Promise<Granted> => {
    stored = await written(tools, login.tokenPath, { ...stored, ...fieldsOf(tools, client, answer) });
    return grantedIn(stored) ?? { token: '' };
  };
  const ask = async (form: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Granted> =>
    await keep(await askToken(tools, client, form, signal));
  let granted = grantedIn(stored);
  const isGood = granted !== undefined && (granted.expiresAt ?? Infinity) > tools.host.clock.now() + 60_000;
  if (!isGood && textIn(stored, 'refresh_token') === '') {
    const { code, redirect, verifier } = await signIn(tools, client, login.signInSeconds);
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier };
    granted = await ask(form, tools.signal);
  }
  return {
    granted,
    renew: async (signal) => {
      const token = textIn(stored, 'refresh_token');
      if (token === '') throw incomplete('the token has expired, and there is none to renew it with');
      return await ask({ grant_type: 'refresh_token', refresh_token: token }, signal);
    },
  };
}

async function askToken(
  { http }: TokenTools,
  { id, secret, tokenUri }: Client,
  form: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<JsonObject> {
  const url = requireSafeAddress('drive', tokenUri, { secret: true });
  const service = new HttpService({
    http,
    place: `the sign-in at ${url.host}`,
    timeoutMs: 30_000,
    explain: (text) => {
      const answer = jsonIn(text) ?? {};
      return { code: textIn(answer, 'error'), message: textIn(answer, 'error_description') };
    },
    judge: ({ status, reason, place }) =>
      status === 400 || status === 401 ? fail.storageLogin({ place, reason }) : undefined,
  });
  const body = new URLSearchParams({ ...form, client_id: id, client_secret: secret }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await service.send({ method: 'POST', url, headers, body, signal, path: url.pathname });
  const found = jsonIn(new TextDecoder().decode(answer.body));
  if (!found || textIn(found, 'access_token') === '')
    throw fail.storageAnswer({ place: service.place, reason: 'it holds no token' });
  return found;
}

/** Fields of an answer that go into the file, in the form that other tools read. */
function fieldsOf({ mask, host }: TokenTools, client: Client, answer: JsonObject): JsonObject {
  const [token, refresh] = [textIn(answer, 'access_token'), textIn(answer, 'refresh_token')];
  for (const secret of [token, refresh]) if (secret !== '') mask(secret);
  const { expires_in: seconds } = answer;
  const expiry = typeof seconds === 'number' ? new Date(host.clock.now() + seconds * 1000).toISOString() : null;
  return {
    token,
    ...(refresh !== '' && { refresh_token: refresh }),
    ...(expiry !== null && { expiry }),
    token_uri: client.tokenUri,
    client_id: client.id,
    scopes: textIn(answer, 'scope').split(' ').filter(Boolean),
  };
}

/** Readable by the owner alone, whole or not at all. */
async function written({ host }: TokenTools, path: string, stored: JsonObject): Promise<JsonObject> {
  const text = `${JSON.stringify(stored, undefined, 2)}\n`;
  if ((await host.files.find(path)) !== undefined) await host.files.setMode(path, 0o600);
  await host.files.write(path, text, { mode: 0o600, parents: true });
  return stored;
}

async function readStored(tools: TokenTools, path: string): Promise<JsonObject> {
  if ((await tools.host.files.find(path)) === undefined) return {};
  const stored = await readJson(tools, path, 'the token file');
  for (const key of ['token', 'access_token', 'refresh_token', 'client_secret']) {
    const secret = textIn(stored, key);
    if (secret !== '') tools.mask(secret);
  }
  return stored;
}

function grantedIn(stored: JsonObject): Granted | undefined {
  const token = textIn(stored, 'token') || textIn(stored, 'access_token');
  if (token === '') return undefined;
  const { expiry, expiry_date: ms } = stored;
  const expiresAt = typeof expiry === 'string' ? Date.parse(zoned(expiry)) : ms;
  return { token, ...(typeof expiresAt === 'number' && !Number.isNaN(expiresAt) && { expiresAt }) };
}

/** Other tools write UTC without saying so. */
function zoned(time: string): string {
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`;
}

async function readClient(tools: TokenTools, path: string): Promise<Client> {
  const file = await readJson(tools, path, 'the credentials file');
  const found = { ...objectIn(file, 'web'), ...objectIn(file, 'installed') };
  const client = {
    id: textIn(found, 'client_id'),
    secret: textIn(found, 'client_secret'),
    authUri: textIn(found, 'auth_uri') || 'https://accounts.google.com/o/oauth2/auth',
    tokenUri: textIn(found, 'token_uri') || 'https://oauth2.googleapis.com/token',
  };
  if (client.id === '') throw incomplete('the credentials file holds no "installed" or "web" with a client_id');
  if (client.secret !== '') tools.mask(client.secret);
  return client;
}

async function readJson({ host }: TokenTools, path: string, what: string): Promise<JsonObject> {
  const text = new TextDecoder().decode(await host.files.readRegular(path, { limit: LARGEST }));
  const found = text.trim() === '' ? undefined : jsonIn(text);
  if (!found) throw incomplete(`${what} is no JSON object`);
  return found;
}

function incomplete(reason: string): Error {
  return fail.storageLoginForm({ backend: 'drive', reason });
}
