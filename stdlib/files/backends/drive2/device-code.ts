import type { PortContext, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { jsonIn, textIn } from '../drives/api-service.ts';
import { HttpService } from '../http-service.ts';
import { patiently } from '../passing.ts';
import { requireSafeAddress } from '../service-address.ts';
import type { DeviceCode, Renewal } from './login.ts';

export interface SignInTools extends Pick<PortContext, 'mask' | 'notice'> {
  readonly http: Ports['http'];
  readonly clock: Clock;
}

export interface GrantedToken {
  readonly token: string;
  readonly renewal: Renewal | undefined;
  readonly scope: string;
  readonly seconds: number;
}

const AUTHORITY = 'https://login.microsoftonline.com';
const PLACE = 'the sign-in of the drive';
/** Time (ms) added to the pause between two questions where the service asks for it. */
const SLOWER_MS = 5000;

/** Waits until a person has entered the code, has refused, or the time is over. */
export async function askDeviceCode(
  tools: SignInTools,
  wanted: DeviceCode,
  signal: AbortSignal,
): Promise<GrantedToken> {
  const { clock, mask, notice } = tools;
  const begun = await form(
    tools,
    wanted,
    'devicecode',
    { client_id: wanted.clientId, scope: wanted.scopes.join(' ') },
    signal,
  );
  const code = textIn(begun, 'device_code');
  const [address, userCode] = [textIn(begun, 'verification_uri'), textIn(begun, 'user_code')];
  if (code === '' || userCode === '') throw fail.storageAnswer({ place: PLACE, reason: 'it holds no code' });
  mask(code);
  notice('info', `Sign in to the drive: open ${address} and enter the code ${userCode}`);
  const life = Math.min(wanted.seconds, numberIn(begun, 'expires_in') ?? wanted.seconds);
  const end = clock.monotonic() + life * 1000;
  let pause = (numberIn(begun, 'interval') ?? 5) * 1000;
  for (;;) {
    const left = end - clock.monotonic();
    if (left <= 0) throw fail.storageLogin({ place: PLACE, reason: `nobody entered the code within ${life} s` });
    await clock.sleep(Math.min(pause, left), signal);
    const fields = {
      client_id: wanted.clientId,
      device_code: code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    };
    const answer = await form(tools, wanted, 'token', fields, signal);
    const error = textIn(answer, 'error');
    if (error === '') return granted(tools, wanted, answer, '');
    if (error === 'slow_down') pause += SLOWER_MS;
    else if (error !== 'authorization_pending') throw refused(answer);
  }
}

/** Another token, by what the last one came with; each answer may hold something new for the next time. */
export async function renewed(
  tools: SignInTools,
  renewal: Renewal,
  signal: AbortSignal,
): Promise<{ readonly token: string; readonly renewal: Renewal }> {
  const { clientId, scopes, refreshToken } = renewal;
  const fields = {
    client_id: clientId,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
  const answer = await form(tools, renewal, 'token', fields, signal);
  if (textIn(answer, 'error') !== '') throw refused(answer);
  const { token, renewal: next } = granted(tools, renewal, answer, refreshToken);
  return { token, renewal: next ?? renewal };
}

function granted(
  { mask, clock }: SignInTools,
  asked: Pick<DeviceCode, 'clientId' | 'tenant' | 'scopes' | 'authority'>,
  answer: JsonObject,
  before: string,
): GrantedToken {
  const token = textIn(answer, 'access_token');
  const refreshToken = textIn(answer, 'refresh_token') || before;
  if (token === '') throw fail.storageAnswer({ place: PLACE, reason: 'it holds no token' });
  for (const secret of [token, refreshToken]) if (secret !== '') mask(secret);
  const seconds = numberIn(answer, 'expires_in') ?? 3600;
  const { clientId, tenant, scopes, authority } = asked;
  const expiresAt = clock.now() + seconds * 1000;
  const renewal = refreshToken === '' ? undefined : { clientId, tenant, scopes, authority, refreshToken, expiresAt };
  return { token, renewal, scope: textIn(answer, 'scope'), seconds };
}

/** An error of the protocol comes as an object too. */
async function form(
  { http, clock }: SignInTools,
  { tenant, authority = AUTHORITY }: Pick<DeviceCode, 'tenant' | 'authority'>,
  name: string,
  fields: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<JsonObject> {
  const base = requireSafeAddress('drive2', authority, { secret: true }).href.replace(/\/+$/, '');
  const url = new URL(`${base}/${encodeURIComponent(tenant)}/oauth2/v2.0/${name}`);
  const service = new HttpService({ http, place: PLACE, timeoutMs: 30_000 });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(fields).toString();
  const answer = await patiently(clock, signal, () =>
    service.send({ method: 'POST', url, headers, body, signal, path: url.pathname, fine: [400, 401] }),
  );
  const found = jsonIn(new TextDecoder().decode(answer.body));
  if (!found) throw fail.storageAnswer({ place: PLACE, reason: 'it is no JSON object' });
  if (name === 'devicecode' && textIn(found, 'error') !== '') throw refused(found);
  return found;
}

function refused(answer: JsonObject): Error {
  const [error, more] = [textIn(answer, 'error'), textIn(answer, 'error_description').split(/[\r\n]/)[0] ?? ''];
  return fail.storageLogin({ place: PLACE, reason: [error, more.slice(0, 200)].filter(Boolean).join(', ') });
}

function numberIn(value: JsonObject, key: string): number | undefined {
  const found = Number(value[key]);
  return Number.isFinite(found) && found > 0 ? found : undefined;
}
