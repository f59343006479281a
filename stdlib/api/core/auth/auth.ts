import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';

import { readHeaders } from '#stdlib/http/headers.ts';
import { readBase64 } from '../../read-base64.ts';

const command = commandRaising('APITesterException');

export const AT_basic_auth_header = command('AT_basic_auth_header', ({ username, password }, ctx) => {
  if (username.includes(':')) throw fail.basicAuthColon({ username });
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  ctx.mask(login);
  return { Authorization: `Basic ${login}` };
});

export const AT_bearer_token_header = command('AT_bearer_token_header', ({ token }) => {
  const value = `Bearer ${token}`;
  readHeaders({ Authorization: value });
  return { Authorization: value };
});

export const AT_build_jwt = command('AT_build_jwt', async ({ payload, secret, algorithm, header }, ctx) => {
  const token = await ctx.jwt.sign(payload as JsonObject, secret, algorithm, (header ?? {}) as JsonObject);
  ctx.mask(token);
  return token;
});

export const AT_sigv4_headers = command('AT_sigv4_headers', (params, ctx) =>
  ctx.awsSignature.sign({
    method: params.method.toUpperCase(),
    url: params.url,
    region: params.region,
    service: params.service,
    accessKey: params.access_key,
    secretKey: params.secret_key,
    body: params.body === null ? new Uint8Array() : readBase64(params.body, 'body'),
    headers: params.extra_headers ?? {},
    ...(params.session_token === null ? {} : { sessionToken: params.session_token }),
    at: params.at === null ? ctx.clock.now() : Date.parse(params.at),
  }),
);
