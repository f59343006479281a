import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { command, type Context } from '#stdlib/command.ts';

import { obtainToken } from './obtain-token.ts';

export const WR_oauth_client_credentials = command(
  'WR_oauth_client_credentials',
  async (params, ctx) => await tokenOf('client_credentials', params, ctx),
);

export const WR_oauth_password_grant = command('WR_oauth_password_grant', async (params, ctx) => {
  const { username, password } = params;
  ctx.mask(password);
  return await tokenOf('password', params, ctx, { username, password });
});

export const WR_oauth_refresh_token = command('WR_oauth_refresh_token', async (params, ctx) => {
  const { refresh_token } = params;
  ctx.mask(refresh_token);
  return await tokenOf('refresh_token', { ...params, scope: null }, ctx, { refresh_token });
});

export const WR_oauth_bearer_header = command('WR_oauth_bearer_header', ({ access_token }, ctx) => {
  // Characters that RFC 6750 allows in a header; a line break would begin another one.
  if (!/^[\x21-\x7e]+$/.test(access_token)) throw fail.bearerTokenUnfit({});
  ctx.mask(access_token);
  return { Authorization: `Bearer ${access_token}` };
});

export const WR_oauth_get_cached = command(
  'WR_oauth_get_cached',
  ({ cache_key }, ctx) => (ctx.tokenCache.find(cache_key) ?? null) as CommandMap['WR_oauth_get_cached']['result'],
);

export const WR_oauth_clear_cache = command('WR_oauth_clear_cache', (_, ctx) => {
  ctx.tokenCache.clear();
  return null;
});

type Params = CommandMap['WR_oauth_client_credentials']['params'];
type Token = CommandMap['WR_oauth_client_credentials']['result'];

/** A token by a grant: the kept one where it is still good, except for a refresh, which always asks. */
async function tokenOf(
  grant: 'client_credentials' | 'password' | 'refresh_token',
  params: Params,
  ctx: Context<'WR_oauth_client_credentials'>,
  more: Readonly<Record<string, string>> = {},
): Promise<Token> {
  const { token_url: url, client_id: id, client_secret: secret, scope, cache_key: name, client_auth: auth } = params;
  ctx.mask(secret);
  const identity = JSON.stringify([grant, url, id, secret, scope, auth, more]);
  const fields = { grant_type: grant, ...more, ...(scope ? { scope } : {}) };
  const client = { id, secret, isBasic: auth === 'basic' };
  const obtain = async (): Promise<JsonObject> => {
    const token = await obtainToken({ url, client, fields, timeout_ms: params.timeout * 1000 }, ctx);
    const { refresh_token: kept } = more;
    // A server that sends no new one goes on taking the old one.
    return kept === undefined || token['refresh_token'] ? token : { ...token, refresh_token: kept };
  };
  const token = await ctx.tokenCache.get({ name, identity, reuse: grant !== 'refresh_token' }, obtain);
  for (const key of ['access_token', 'refresh_token', 'id_token']) {
    const value = token[key];
    if (typeof value === 'string') ctx.mask(value);
  }
  return token as Token;
}
