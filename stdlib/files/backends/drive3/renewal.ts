import type { PortContext, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { Granted } from '../drives/access.ts';
import { jsonIn, textIn } from '../drives/api-service.ts';
import { HttpService } from '../http-service.ts';
import type { Drive3Login } from './login.ts';

export interface RenewalTools extends Pick<PortContext, 'mask'> {
  readonly host: Host;
  readonly http: Ports['http'];
}

const LARGEST = 64 * 1024;

/** Another token by that of the file; what comes with it for the next time is written before anybody uses the token. */
export async function renewed(
  { host, http, mask }: RenewalTools,
  { clientId, clientSecret, tokenPath = '' }: Drive3Login,
  base: string,
  signal: AbortSignal,
): Promise<Granted> {
  const kept = await readKept(host, tokenPath);
  const refresh = textIn(kept, 'refresh_token');
  if (refresh === '') throw incomplete('the token file holds no "refresh_token"');
  mask(refresh);
  const url = new URL(`${base}/oauth2/token`);
  const service = new HttpService({
    http,
    place: 'the sign-in of the third drive',
    timeoutMs: 30_000,
    explain: (text) => {
      const answer = jsonIn(text) ?? {};
      return { code: textIn(answer, 'error'), message: textIn(answer, 'error_description') };
    },
    judge: ({ status, reason, place }) =>
      status === 400 || status === 401 ? fail.storageLogin({ place, reason }) : undefined,
  });
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refresh,
    client_id: clientId,
    client_secret: clientSecret,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await service.send({ method: 'POST', url, headers, body, signal, path: url.pathname });
  const found = jsonIn(new TextDecoder().decode(answer.body)) ?? {};
  const [token, next] = [textIn(found, 'access_token'), textIn(found, 'refresh_token')];
  if (token === '') throw fail.storageAnswer({ place: service.place, reason: 'it holds no token' });
  for (const secret of [token, next]) if (secret !== '') mask(secret);
  await host.files.setMode(tokenPath, 0o600);
  const text = `${JSON.stringify({ ...kept, access_token: token, ...(next !== '' && { refresh_token: next }) }, undefined, 2)}\n`;
  await host.files.write(tokenPath, text, { mode: 0o600, durable: true });
  const { expires_in: seconds } = found;
  return { token, ...(typeof seconds === 'number' && { expiresAt: host.clock.now() + seconds * 1000 }) };
}

async function readKept(host: Host, path: string): Promise<JsonObject> {
  const text = new TextDecoder().decode(await host.files.readRegular(path, { limit: LARGEST }));
  const found = text.trim() === '' ? undefined : jsonIn(text);
  if (!found) throw incomplete('the token file is no JSON object');
  return found;
}

function incomplete(reason: string): Error {
  return fail.storageLoginForm({ backend: 'drive3', reason });
}
